import { type GateRecord, outcomeOf, type RunRecord } from '@agent-criteria/results';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { hostileRun, hostileText } from './__fixtures__/hostile.ts';
import { casesOf, runOf, textOf } from './__fixtures__/runs.ts';
import { everyVerdict, onlyMeasured, runOfAll, unfinishedRun } from './__fixtures__/shapes.ts';
import { type JunitOptions, junitReport } from './junit.ts';

interface Property {
  readonly name: string;
  readonly value: string;
}

interface Told {
  readonly message: string;
  readonly type: string;
  readonly '#text': string;
}

interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly time?: string;
  readonly file?: string;
  readonly properties?: readonly [{ readonly property: readonly Property[] }];
  readonly failure?: readonly [Told];
  readonly error?: readonly [Told];
  readonly skipped?: readonly [{ readonly message: string }];
  readonly 'system-out'?: readonly [string];
}

interface Suite {
  readonly name: string;
  readonly tests: string;
  readonly failures: string;
  readonly errors: string;
  readonly skipped?: string;
  readonly timestamp?: string;
  readonly properties?: readonly [{ readonly property: readonly Property[] }];
  readonly testcase: readonly TestCase[];
}

interface Suites {
  readonly name: string;
  readonly tests: string;
  readonly failures: string;
  readonly errors: string;
  readonly skipped?: string;
  readonly time?: string;
  readonly testsuite: readonly Suite[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what to look for.
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Replaces characters that XML forbids. */
const legal = (text: string) => text.replace(ILLEGAL, '\ufffd');

/** Validates and parses a report. */
async function read(run: Parameters<typeof junitReport>[0], options?: JunitOptions): Promise<Suites> {
  const text = await textOf(junitReport(run, options));
  expect(XMLValidator.validate(text)).toBe(true);
  expect(legal(text)).toBe(text);
  expect(text.includes('\r')).toBe(false);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    // This includes numeric character references.
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: 1_000_000, maxExpandedLength: 10_000_000 },
    isArray: (name, _path, _leaf, isAttribute) => !isAttribute && name !== 'testsuites',
  });
  const { testsuites } = parser.parse(text);
  return testsuites as Suites;
}

const suiteOf = async (...run: Parameters<typeof runOf>) => (await read(runOf(...run))).testsuite[0]!;
const scoresOf = (test: TestCase | undefined) =>
  Object.fromEntries((test?.properties?.[0].property ?? []).map(({ name, value }) => [name, value]));

describe('the JUnit report', () => {
  it('contains a suite for each set and a test for each case, with counts', async () => {
    const run = runOfAll();
    const suites = await read(run);
    expect(suites).toMatchObject({ name: 'lamp/agent.ts', tests: '14', failures: '4', errors: '7', time: '60.000' });
    expect(suites.testsuite.map(({ name }) => name)).toEqual(run.sets.map(({ id }) => id));
    for (const suite of suites.testsuite) {
      const cases = await casesOf(run, suite.name);
      expect(suite.testcase.map(({ name, classname }) => [name, classname])).toEqual(
        cases.map(({ result }) => [result.caseId, suite.name]),
      );
      const count = (what: 'failure' | 'error') =>
        String(suite.testcase.filter((test) => test[what] !== undefined).length);
      expect([suite.tests, suite.failures, suite.errors]).toEqual([
        String(cases.length),
        count('failure'),
        count('error'),
      ]);
    }
    expect(suites.testsuite[0]).toMatchObject({ timestamp: '2026-11-21T12:00:00', file: 'rooms.evalset.json' });
  });

  const withGates = (run: RunRecord, gates: readonly GateRecord[], decide: boolean): RunRecord => {
    return { ...run, outcome: { state: 'recorded', ...outcomeOf({ summary: run.summary, gates, decide }) } };
  };
  const baseline = { id: 'run-1', hash: 'ab'.repeat(32) };
  const gates: readonly GateRecord[] = [
    { name: 'pass_rate', holds: true, text: 'it is high enough' },
    { name: 'regression', variant: 'fast', holds: false, text: 'it fell & <broke>', baseline },
    { name: 'cost', holds: null, text: 'no price' },
  ];

  it('contains a test for each gate, with its baseline', async () => {
    const run = runOf([everyVerdict]);
    const before = await read(run);
    const after = await read(withGates(run, gates, false));
    expect(after).toMatchObject({
      tests: String(Number(before.tests) + 3),
      failures: String(Number(before.failures) + 1),
      errors: String(Number(before.errors) + 1),
      skipped: '0',
    });
    const { name, testcase } = after.testsuite.at(-1) as Suite;
    expect([name, testcase.map((test) => test.name)]).toEqual([
      'gates',
      ['gate pass_rate', 'gate regression (fast)', 'gate cost'],
    ]);
    expect(testcase[0]).toMatchObject({ 'system-out': ['holds: it is high enough'] });
    expect(testcase[1]?.failure).toMatchObject([{ message: 'does not hold: it fell & <broke>', type: 'gate' }]);
    expect(scoresOf(testcase[1])).toEqual({ baseline: 'run-1', 'baseline sha256': baseline.hash });
    expect(testcase[2]?.error).toMatchObject([{ message: 'cannot tell: no price', type: 'not-evaluated' }]);
  });

  it('skips cases that did not pass if gates alone decide, but shows their failures', async () => {
    const run = runOf([everyVerdict]);
    const suites = await read(withGates(run, gates.slice(0, 1), true));
    expect(suites).toMatchObject({ failures: '0', errors: '0', skipped: '3' });
    const [suite] = suites.testsuite as readonly [Suite];
    expect(suite).toMatchObject({ failures: '0', errors: '0', skipped: '3' });
    const skipped = suite.testcase.filter((test) => test.skipped !== undefined);
    expect(skipped.map((test) => [test.name, test.skipped?.[0].message])).toEqual(
      [
        ['wrong', 'failed'],
        ['unclear', 'not-evaluated'],
        ['broken', 'error'],
      ].map(([name, verdict]) => [name, `${verdict}; the gates decide`]),
    );
    const before = (await read(run)).testsuite[0]?.testcase ?? [];
    for (const test of skipped) {
      const { failure, error } = before.find(({ name }) => name === test.name) ?? {};
      const [shown] = failure ?? error ?? [];
      expect(test['system-out']?.[0]).toBe(`${shown?.message}\n${shown?.['#text']}`);
    }
  });

  it('contains an element for each verdict, and does not let unjudged cases pass', async () => {
    const { testcase } = await suiteOf([everyVerdict]);
    const outcome = ({ failure, error }: TestCase) => (failure ?? error)?.[0].type ?? 'passed';
    expect(testcase.map((test) => [test.name, outcome(test), test.failure !== undefined])).toEqual([
      ['right', 'passed', false],
      ['wrong', 'failed', true],
      ['unclear', 'not-evaluated', false],
      ['broken', 'error', false],
      ['skipping', 'passed', false],
    ]);
    const measured = (await suiteOf([onlyMeasured])).testcase[0];
    expect(measured?.failure ?? measured?.error).toBeUndefined();
    expect(measured?.['system-out']?.[0]).toContain('only measured: this config has no deciding criteria');
  });

  it('contains the reason, the expected answer and the command that shows the case', async () => {
    const options = { command: (set: string, id: string) => `agent-criteria eval agent.ts ${set}.json:${id}` };
    const { testsuite } = await read(runOf([everyVerdict]), options);
    const [failure] = testsuite[0]?.testcase[1]?.failure ?? [];
    expect(failure?.message).toBe('words: 0.7999999 is below the threshold 0.8: 1 of 4 words is missing');
    expect(failure?.['#text']).toContain('answer    The lamp is [-on-]{+off+}.');
    expect(failure?.['#text']).toContain('details: agent-criteria eval agent.ts rooms.json:wrong\n');
  });

  it('lists scores, thresholds and coverage as properties, and omits missing numbers', async () => {
    const suite = await suiteOf([everyVerdict]);
    expect(suite.properties?.[0].property).toContainEqual({ name: 'words', value: '>= 0.8' });
    expect(suite.properties?.[0].property).toContainEqual({ name: 'run_finished', value: 'true' });
    expect(scoresOf(suite.testcase[1])).toMatchObject({
      'words score': '0.7999999',
      'words threshold': '0.8',
      'words coverage': '100 %',
      'words verdict': 'failed',
      'kind score': '0.5',
      'kind coverage': '66.7 %',
      'kind verdict': 'not-evaluated',
      'count threshold': 'none',
    });
    expect(scoresOf(suite.testcase[2])).toMatchObject({
      'words score': 'skipped',
      'words coverage': 'skipped',
      'kind score': 'could not be judged',
      'kind coverage': '0 %',
    });
    expect(scoresOf(suite.testcase[3])).toEqual({ verdict: 'error' });
  });

  it('includes the time of a case if known: the total over all repeats, as measured or as summed over turns', async () => {
    const run = runOf([everyVerdict]);
    const timed = {
      ...run,
      async *cases() {
        for await (const one of run.cases()) {
          const [inference] = one.inferences;
          if (one.result.caseId === 'right')
            yield { ...one, inferences: [{ ...inference!, startedAt: 1000, endedAt: 2500 }] };
          else if (one.result.caseId === 'wrong') {
            const invocations = inference!.inference.invocations.map((turn) => ({ ...turn, duration: 0.25 }));
            yield { ...one, inferences: [{ ...inference!, inference: { ...inference!.inference, invocations } }] };
          } else yield one;
        }
      },
    };
    const { testsuite } = await read(timed);
    expect(testsuite[0]?.testcase.map(({ time }) => time)).toEqual(['1.500', '0.250', undefined, undefined, undefined]);
  });

  it('is never green for a run that is unfinished or has no cases', async () => {
    const unfinished = await read(unfinishedRun());
    expect(unfinished).toMatchObject({ tests: '6', errors: '3' });
    expect(unfinished.time).toBeUndefined();
    expect(unfinished.testsuite[0]).toMatchObject({
      name: 'run',
      errors: '1',
      testcase: [
        { error: [{ message: 'This run is not finished: 5 of 9 units are run and scored.', type: 'not-evaluated' }] },
      ],
    });
    expect(scoresOf(unfinished.testsuite[1] as unknown as TestCase)).toMatchObject({ run_finished: 'false' });
    expect(await read(runOf([]))).toMatchObject({ tests: '1', errors: '1' });
  });

  it('accepts any string except characters that XML forbids', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const { name, testsuite } = await read(hostileRun(text));
        expect(name).toBe(legal(`${text}/agent.ts`));
        expect(testsuite[0]?.name).toBe(legal(text));
        expect(testsuite[0]?.testcase.map((test) => test.name)).toEqual(
          [0, 1, 2, 3].map((index) => legal(text + index)),
        );
        expect(testsuite[0]?.testcase[1]?.error?.[0].message).toBe(legal(text));
        expect(testsuite[0]?.testcase[0]?.properties?.[0].property[1]?.name).toBe(legal(`name-${text} score`));
      }),
    );
  });
});
