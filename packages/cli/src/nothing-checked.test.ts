import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { type Captured, capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

// Exit code 0 means that something was checked. Whatever is left out along the way (criteria, cases, files), a run in
// which nothing was checked never exits with 0, unless its config only measures.

interface Project {
  /**
   * For each case, whether it expects an answer, or `'another'` if it expects one that the agent does not give. `null`
   * if the folder has no eval set.
   */
  readonly answered: readonly (boolean | 'another')[] | null;
  /** Other files in the folder. */
  readonly others: readonly string[];
  /** The config, or `null` if the folder has none. */
  readonly config: object | null;
  readonly chosen: readonly string[];
  /** Whether everything has already run once, so that it is known which cases failed. */
  readonly again?: boolean;
}

const others: Readonly<Record<string, unknown>> = {
  'package.json': { name: 'x' },
  'a-dataset.json': { eval_cases: [{ eval_case_id: 'a', prompt: { parts: [{ text: 'Hi' }] } }] },
  'hidden.json': evalSet('hidden', evalCase('a', turn('Hi', 'Hi'))),
  'empty.evalset.json': { eval_set_id: 'empty', eval_cases: [] },
  'a_config.json': { criteria: { tool_trajectory_avg_score: 1 } },
  'b_config.json': { criteria: {} },
};

const names = ['tool_trajectory_avg_score', 'response_match_score'];
const entry = fc.constantFrom(0, 1, { threshold: 0, when_not_applicable: 'skip' });
const config = fc.oneof(
  fc.constant(null),
  fc.dictionary(fc.constantFrom(...names), entry).map((criteria) => ({ criteria })),
  fc.subarray(names).map((measure) => ({ criteria: {}, agent_criteria: { measure } })),
);
const project: fc.Arbitrary<Project> = fc.record({
  answered: fc.option(fc.array(fc.constantFrom<boolean | 'another'>(true, false, 'another'), { maxLength: 3 }), {
    nil: null,
    freq: 8,
  }),
  others: fc.subarray(Object.keys(others), { maxLength: 2 }),
  config,
  chosen: fc.oneof(
    fc.constant([]),
    fc
      .subarray(
        [
          ['--case', 'case_0'],
          ['--grep', 'CASE_1'],
          ['--grep', 'nowhere'],
          ['--tag', 'first'],
          ['--tag', 'unknown'],
          ['--only_failed'],
        ],
        { maxLength: 2 },
      )
      .map((flags) => flags.flat()),
  ),
  again: fc.boolean(),
});

/** A project that passes, so that the property is not vacuous. */
const fine: Project = {
  answered: [true, 'another'],
  others: [],
  config: { criteria: { response_match_score: 1 } },
  chosen: ['--tag', 'first'],
};

const oneCase: Project = { answered: [true], others: [], config: null, chosen: [] };

async function evaluate({ answered, others: more, config: written, chosen, again }: Project): Promise<Captured> {
  const cases = answered?.map((has, index) => ({
    ...evalCase(`case_${index}`, turn('Hi', has === 'another' ? 'Bye' : has ? 'Hi' : undefined)),
    agent_criteria: { tags: index === 0 ? ['first'] : [] },
  }));
  const folder = folderOf({
    'agent.mjs': 'export const agent = (text) => text;',
    ...(cases === undefined ? {} : { 'set.evalset.json': evalSet('set', ...cases) }),
    ...Object.fromEntries(more.map((name) => [name, others[name]])),
    ...(written === null ? {} : { 'test_config.json': written }),
  });
  const all = ['eval', join(folder, 'agent.mjs'), folder, '--json', '--runs_folder', join(folderOf({}), 'runs')];
  if (again === true) await capture(all);
  return capture([...all, ...chosen]);
}

interface Told {
  readonly summary: { readonly nothingJudged: boolean };
  readonly sets: readonly {
    readonly criteria: readonly { readonly name: string; readonly decides: boolean }[];
    readonly cases: readonly {
      readonly criteria: readonly { readonly name: string; readonly score: number | null }[];
    }[];
  }[];
}

describe('a run in which nothing was checked', { timeout: 120_000 }, () => {
  it('never exits with 0, unless its config only measures', async () => {
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(project, async (given) => {
        const { code, out, err } = await evaluate(given);
        if (code !== 0) {
          expect(err + out).not.toBe('');
          return;
        }
        const { summary, sets }: Told = JSON.parse(out);
        expect(sets.length).toBeGreaterThan(0);
        for (const { criteria, cases } of sets) {
          expect(cases.length).toBeGreaterThan(0);
          expect(summary.nothingJudged).toBe(criteria.every(({ decides }) => !decides));
          if (summary.nothingJudged) continue;
          const deciding = new Set(criteria.flatMap(({ name, decides }) => (decides ? [name] : [])));
          for (const { criteria: scored } of cases) {
            expect(scored.some(({ name, score }) => deciding.has(name) && score !== null)).toBe(true);
            checked += 1;
          }
        }
      }),
      { numRuns: runs(200), examples: [[fine]] },
    );
    expect(checked).toBeGreaterThan(0);
  });

  it.each([
    ['an empty folder', { answered: null, others: [], config: null, chosen: [] }, 2],
    ['no case', { answered: [], others: [], config: null, chosen: [] }, 2],
    ['a dataset of agents-cli', { answered: null, others: ['a-dataset.json'], config: null, chosen: [] }, 2],
    ['every case filtered', { answered: [true], others: [], config: null, chosen: ['--case', 'none'] }, 2],
    ['every case filtered by its text', { ...oneCase, chosen: ['--grep', 'none'] }, 2],
    ['every case filtered by its tag', { ...oneCase, chosen: ['--tag', 'none'] }, 2],
    ['no run in which anything failed', { ...oneCase, chosen: ['--only_failed'] }, 2],
    ['nothing that failed', { ...oneCase, chosen: ['--only_failed'], again: true }, 2],
    ['filters that have no case together', { ...oneCase, chosen: ['--tag', 'first', '--grep', 'case_1'] }, 2],
    ['no criterion', { answered: [true], others: [], config: { criteria: {} }, chosen: [] }, 2],
    [
      'a criterion that fits no case',
      { answered: [false], others: [], config: { criteria: { response_match_score: 0 } }, chosen: [] },
      2,
    ],
    [
      'a criterion that is skipped everywhere but in one case',
      {
        answered: [true, false],
        others: [],
        config: { criteria: { response_match_score: { threshold: 0, when_not_applicable: 'skip' } } },
        chosen: [],
      },
      3,
    ],
    ['only measured', { answered: [true], others: [], config: { agent_criteria: { measure: names } }, chosen: [] }, 0],
  ] satisfies readonly (readonly [string, Project, number])[])('%s', async (_name, given, exitCode) => {
    expect((await evaluate(given)).code).toBe(exitCode);
  });

  it('reports that its config only measures', async () => {
    const folder = folderOf({
      'agent.mjs': 'export const agent = (text) => text;',
      'a.test.json': evalSet('set', evalCase('a', turn('Hi', 'Hi'))),
      'test_config.json': { criteria: {}, agent_criteria: { measure: names } },
    });
    const { code, out } = await capture(['eval', join(folder, 'agent.mjs'), folder]);
    expect(out).toContain('Nothing was judged');
    expect(code).toBe(0);
  });
});

describe('a turn without expected tool calls', () => {
  const forms: Record<string, object> = {
    short: { user: 'Hi' },
    'short, with an answer': { user: 'Hi', answer: 'Hi' },
    'that of ADK': { user_content: { parts: [{ text: 'Hi' }] } },
    'that of ADK, with an answer': {
      user_content: { parts: [{ text: 'Hi' }] },
      final_response: { parts: [{ text: 'Hi' }] },
    },
  };

  it.each(Object.entries(forms))('leads to advice that works when followed: %s', async (_form, turnOf) => {
    const folder = folderOf({ 'agent.mjs': 'export const agent = (text) => text;' });
    const write = (one: object) => {
      writeFileSync(join(folder, 's.evalset.json'), JSON.stringify(evalSet('s', evalCase('a', one))));
    };
    const config = { criteria: { tool_trajectory_avg_score: 1 } };
    writeFileSync(join(folder, 'test_config.json'), JSON.stringify(config));
    const run = async () => {
      const { code, out, err } = await capture([
        ...['eval', join(folder, 'agent.mjs'), folder, '--runs_folder', join(folder, 'runs')],
      ]);
      return { code, told: out + err };
    };
    write(turnOf);
    const before = await run();
    const isSilent = !JSON.stringify(turnOf).match(/answer|final_response/);
    expect(before.code).toBe(isSilent ? 3 : 0);
    // The text to write, and the key of the turn next to which it belongs, exactly as in the message.
    const advice = [...before.told.matchAll(/("\w+": (?:\[\]|\{[^}]*\})) beside "(\w+)"/g)];
    const fitting = advice.filter(([, , key = '']) => Object.hasOwn(turnOf, key));
    expect(fitting.length).toBeGreaterThan(0);
    for (const [, entry = ''] of fitting) {
      write({ ...turnOf, ...JSON.parse(`{${entry}}`) });
      const { code, out, err } = await capture(['validate', folder]);
      expect([code, out + err]).toEqual([0, expect.not.stringMatching(/calls|expected/)]);
      const after = await run();
      expect([after.code, after.told]).toEqual([0, expect.not.stringMatching(/beside|says nothing/)]);
    }
  });
});
