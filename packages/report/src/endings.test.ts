import type { Ending } from '@agent-criteria/core';
import { inference } from '@agent-criteria/core/testing';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { type CaseSpec, criterion, runOf, textOf } from './__fixtures__/runs.ts';
import { everyVerdict } from './__fixtures__/shapes.ts';
import { adkResults } from './adk-results.ts';
import { consoleReport } from './console.ts';
import { csvReport } from './csv.ts';
import { endingText, limitNote } from './endings.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { totalsOfCases } from './run-totals.ts';

function led(evalId: string, ...endings: readonly Ending[]): CaseSpec {
  return {
    evalCase: { evalId, conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Ask for light.' } },
    repeats: endings.map((ending) => ({
      inference: inference([{ user: 'Hi', answer: 'Hello.' }], { ending }),
      scores: { kind: [{ value: 1 }] },
    })),
  };
}

const limit: Ending = { by: 'turn-limit', reason: 'max_allowed_invocations is 1' };
const user: Ending = { by: 'user', reason: 'it is bright' };
const broken: Ending = { by: 'error', of: 'user', error: { code: 'CALL_FAILED', message: 'no reply came' } };

const run = runOf([
  {
    id: 'led',
    criteria: [criterion('kind')],
    cases: [led('done', user), led('cut', limit), led('twice', limit, user), led('broken', broken)],
  },
]);

describe('endings of simulated conversations', () => {
  it('are counted, unlike those of fixed conversations', async () => {
    expect((await totalsOfCases(run.cases())).endings).toEqual({ user: 2, 'turn-limit': 2, error: 1 });
    expect((await totalsOfCases(runOf([everyVerdict]).cases())).endings).toEqual({});
    expect(limitNote({ user: 3 })).toBeNull();
    expect(limitNote({ 'turn-limit': 1 })).toBe(
      '1 conversation ended at the turn limit, before the user had finished.',
    );
  });

  it.each<readonly [Ending, number | null, string | null]>([
    [user, 1, 'ended: by the user (it is bright)'],
    [{ by: 'user' }, 1, 'ended: by the user'],
    [limit, 1, 'ended: turn limit reached after 1 turn (max_allowed_invocations is 1)'],
    [{ by: 'turn-limit' }, null, 'ended: turn limit reached'],
    [{ by: 'abort', reason: 'interrupted' }, 0, 'ended: aborted (interrupted)'],
    [{ by: 'end-of-case' }, 1, null],
    [{ by: 'end-of-case', reason: 'closing the session failed' }, 1, 'closing the session failed'],
    [broken, 1, null],
  ])('are described by endingText(): %j', (ending, turns, text) => {
    expect(endingText(ending, turns)).toBe(text);
  });

  it('are shown on the console for a case that passed at its turn limit', async () => {
    const text = await textOf(consoleReport(run));
    expect(text).toContain('done    1 (1/1)  passed\n');
    expect(text).toContain('cut     1 (1/1)  passed, at the turn limit\n');
    expect(text).toContain('2 of 2 repeats passed, 1 of 2 at the turn limit\n');
    expect(text).toMatch(
      /of 4 cases\npass rate (?:.|\n)*\n2 conversations ended at the turn limit, before the user had finished\.\n$/,
    );
    expect(text).toContain('broken: error\n  no reply came\n');

    const detailed = await textOf(consoleReport(run, { detailed: true }));
    expect(detailed).toContain('  ended: by the user (it is bright)\n');
    expect(detailed).toContain('  ended: turn limit reached after 1 turn (max_allowed_invocations is 1)\n');
  });

  it('do not mention the turn limit if no conversation reached it', async () => {
    expect(await textOf(consoleReport(runOf([everyVerdict])))).not.toContain('turn limit');
    expect(await textOf(markdownReport(runOf([everyVerdict])))).not.toContain('turn limit');
    expect(await textOf(junitReport(runOf([everyVerdict])))).not.toContain('ended by');
    expect(await textOf(jsonReport(runOf([everyVerdict])))).not.toContain('"endings"');
  });

  it('are shown in Markdown, both above and inside the tables', async () => {
    const text = await textOf(markdownReport(run));
    expect(text).toContain('> 2 conversations ended at the turn limit, before the user had finished.\n');
    expect(text).toContain('| `cut` | 1 (1/1) | ✅ passed, at the turn limit |');
  });

  it('are included in JSON, for the run, each set and each repeat', async () => {
    const read = JSON.parse(await textOf(jsonReport(run)));
    expect(read.endings).toEqual({ user: 2, 'turn-limit': 2, error: 1 });
    expect(read.sets[0].endings).toEqual(read.endings);
    expect(read.sets[0].cases[2].units.map((unit: { ending: Ending }) => unit.ending)).toEqual([limit, user]);
  });

  it('are JUnit properties', async () => {
    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', isArray: () => false });
    const { testsuite } = parser.parse(await textOf(junitReport(run))).testsuites;
    const properties = (of: { properties: { property: readonly { name: string; value: string }[] } }) =>
      Object.fromEntries(of.properties.property.map(({ name, value }) => [name, value]));
    expect(properties(testsuite)).toMatchObject({ 'conversations ended by turn-limit': '2' });
    const [done, cut, twice, error] = testsuite.testcase.map(properties);
    expect(done).toMatchObject({ 'ended by': 'user: it is bright' });
    expect(cut).toMatchObject({ verdict: 'passed', 'ended by': 'turn-limit: max_allowed_invocations is 1' });
    expect(twice).toMatchObject({ 'repeat 2 ended by': 'user: it is bright' });
    expect(error).toMatchObject({ 'ended by': 'error: no reply came' });
  });

  it('are written to CSV columns, and under agent_criteria in ADK result files', async () => {
    const text = await textOf(csvReport(run));
    expect(text).toContain(',1,1,turn-limit,max_allowed_invocations is 1,');
    expect(text).toContain(',user,it is bright,');
    expect(text).toContain(',error,no reply came,');
    const { eval_case_results: entries } = JSON.parse(await textOf(adkResults(run)));
    const endings = entries.map((entry: { agent_criteria: { ending: Ending } }) => entry.agent_criteria.ending.by);
    expect(endings).toEqual(['user', 'turn-limit', 'turn-limit', 'user', 'error']);
  });
});
