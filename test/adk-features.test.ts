import { existsSync } from 'node:fs';
import { knownCriteria } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { commands } from '../packages/cli/src/commands.ts';
import { adkFeatures, adkLater } from '../scripts/adk-features.ts';

// docs/adk-parity.md is generated from this list: test/golden-rows.test.ts checks that it is up to date.

const root = new URL('..', import.meta.url);
const all = adkFeatures.flatMap(({ features }) => features);
const listed = new Set(all.map(({ feature }) => feature.replaceAll('`', '')));

/** Criteria that ADK does not have. */
const OURS = /^(response_checks|tool_checks|path_checks|final_state_checks|max_turn_\w+|harmlessness)$/;

describe('the list of the features of ADK', () => {
  it('has every criterion of ADK that is known here, and no other name of a criterion', () => {
    const ofAdk = knownCriteria.map(({ name }) => name).filter((name) => !OURS.test(name));
    expect([...listed].filter((feature) => /^\w+_(v\d|score|match)$/.test(feature)).toSorted()).toEqual(
      ofAdk.toSorted(),
    );
  });

  it('has every subcommand of eval_set that ADK has, and each exists here', () => {
    for (const name of ['create', 'add_eval_case', 'generate_eval_cases']) {
      expect(listed).toContain(`adk eval_set ${name}`);
      expect(commands.map((command) => command.name)).toContain(`eval_set ${name}`);
    }
  });

  it('names files and folders that exist, or the reason why a feature is out of scope', () => {
    for (const { feature, see, note } of all) {
      if (see === undefined) expect(note, feature).toMatch(/^Out of scope: .{20,}/);
      for (const path of see ?? []) expect(existsSync(new URL(path, root)), `${feature}: ${path}`).toBe(true);
    }
  });

  it('leaves out what was decided to be out of scope, and nothing else', () => {
    const without = all.filter(({ see }) => see === undefined).map(({ feature }) => feature);
    expect(without).toEqual([
      'Storage in `gs://` buckets',
      '`adk optimize`',
      '`adk conformance`',
      '`adk test`',
      'Jinja logic in `custom_instructions`',
      '`llm_audio` users, and live mode',
    ]);
  });

  it('says what is known of each later release', () => {
    expect(adkLater.map(({ release }) => release)).toEqual(['2.12', '2.13']);
  });
});
