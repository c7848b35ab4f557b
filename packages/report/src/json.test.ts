import { analyseRun, runOutcomes } from '@agent-criteria/analysis';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { hostileRun, hostileText } from './__fixtures__/hostile.ts';
import { casesOf, runOf, textOf } from './__fixtures__/runs.ts';
import { everyVerdict, onlyMeasured, runOfAll, unfinishedRun } from './__fixtures__/shapes.ts';
import { jsonReport } from './json.ts';

const read = async (run: Parameters<typeof jsonReport>[0]) => JSON.parse(await textOf(jsonReport(run)));

describe('the JSON report', () => {
  it('contains everything that is known about a run', async () => {
    const run = runOfAll();
    const { sets, ...head } = await read(run);
    const endings = { 'turn-limit': 1 };
    const statistics = JSON.parse(JSON.stringify((await runOutcomes(run)).map((one) => analyseRun(one))));
    expect(head).toEqual({ finished: true, run: run.info, summary: run.summary, warnings: [], endings, statistics });
    expect(sets.map((set: { setId: string }) => set.setId)).toEqual(run.sets.map((set) => set.id));
    for (const [index, set] of run.sets.entries()) {
      const cases = await casesOf(run, set.id);
      expect(sets[index]).toEqual({
        setId: set.id,
        file: set.file,
        config: set.configFile,
        compat: null,
        criteria: JSON.parse(JSON.stringify(set.criteria)),
        warnings: [],
        summary: set.summary,
        cases: cases.map(({ result, evalCase }) => JSON.parse(JSON.stringify({ ...result, evalCase }))),
        inferences: cases.flatMap(({ inferences }) => JSON.parse(JSON.stringify(inferences))),
        ...(set.id === 'odd/shapes' ? { endings } : {}),
      });
    }
  });

  it('is indented as one document, and begins by stating whether the run is finished', async () => {
    const run = unfinishedRun();
    const text = await textOf(jsonReport(run));
    expect(text.startsWith('{\n  "finished": false,\n')).toBe(true);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it('is valid even without sets or cases', async () => {
    expect(await read(runOf([]))).toMatchObject({ summary: { total: 0, exitCode: 3 }, sets: [] });
    const none = { ...everyVerdict, cases: [] };
    expect(await textOf(jsonReport(runOf([none])))).toContain('"cases": [],\n      "inferences": []\n    }\n  ]\n}\n');
  });

  it('attaches a warning to the set whose file it names', async () => {
    const warning = (file?: string) => ({ code: 'NOT_JSON', message: 'x', file }) as const;
    const first = { ...everyVerdict, warnings: [warning('rooms.evalset.json'), warning()] };
    const { warnings, sets } = await read(runOf([first, { ...onlyMeasured, warnings: [] }]));
    expect(warnings).toHaveLength(2);
    expect(sets.map((set: { warnings: unknown }) => set.warnings)).toEqual([[warning('rooms.evalset.json')], []]);
    expect((await read(runOf([first]))).sets[0].warnings).toEqual([warning('rooms.evalset.json'), warning()]);
  });

  it('leaves every string unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const { sets } = await read(hostileRun(text));
        expect(sets[0].setId).toBe(text);
        expect(sets[0].cases[1].units[0].ending.error.message).toBe(text);
      }),
      { numRuns: runs(50) },
    );
  });
});
