/**
 * Measures statements about runs: comparing two runs and analysing one with ten times as many cases, compared with the
 * minimum: reading every score once. Runs in one process; the memory excludes the outcomes that are the input.
 */
import { analyseRun, type CaseOutcome, compareRuns, type RunOutcomes } from '../packages/analysis/dist/index.js';
import { createRandom } from '../packages/statistics/dist/index.js';
import { median, short } from './measure.ts';
import { sizes, smallest } from './smallest.ts';
import { printTable } from './table.ts';

const REPEATS = 3;
const ROUNDS = smallest ? 1 : 7;

/** Creates a run with this many cases, three repeats each, and the scores of two criteria. */
function runOf(cases: number, seed: number): RunOutcomes {
  const random = createRandom(seed);
  const chance = () => random() / 2 ** 32;
  const criterion = (name: string, decides: boolean) => ({
    name,
    range: { min: 0, max: 1, better: 'higher' as const },
    decides,
    byDefault: false,
    threshold: decides ? 0.5 : null,
    options: '',
    judges: [],
    origin: 'bench 1.0.0',
  });
  return {
    id: `run-${seed}`,
    agent: 'agent.ts',
    startedAt: 0,
    finished: true,
    compat: null,
    criteria: [criterion('right', true), criterion('words', false)],
    cases: Array.from({ length: cases }, (_, index): CaseOutcome => {
      const passes = Array.from({ length: REPEATS }, () => chance() < 0.8);
      const words = passes.map((pass) => (pass ? 0.5 : 0) + chance() / 2);
      const verdict = passes.every(Boolean) ? 'passed' : 'failed';
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      return {
        setId: 'bench',
        caseId: `case-${index}`,
        group: null,
        verdict,
        asked: String(index),
        version: String(index),
        criteria: [
          { name: 'right', verdict, score: mean(passes.map(Number)), coverage: 1, scores: passes.map(Number) },
          { name: 'words', verdict: 'informational', score: mean(words), coverage: 1, scores: words },
        ],
        repeats: passes.map((passed, repeat) => ({ repeat, passed, answer: `answer ${repeat}` })),
      };
    }),
  };
}

/** Reads every score once. */
function floor(runs: readonly RunOutcomes[]): number {
  let sum = 0;
  for (const { cases } of runs)
    for (const { criteria } of cases) for (const { scores } of criteria) for (const score of scores) sum += score ?? 0;
  return sum;
}

function timeOf(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times);
}

const rows: string[][] = [];
for (const [name, sizesOf, work] of [
  [
    'compare two runs',
    sizes([1000, 10_000], 20),
    (runs: readonly RunOutcomes[]) => compareRuns(runs[0] as RunOutcomes, runs[1] as RunOutcomes),
  ],
  [
    'analyse one run',
    sizes([10_000, 100_000], 20),
    (runs: readonly RunOutcomes[]) => analyseRun(runs[0] as RunOutcomes),
  ],
] as const) {
  let before: number | null = null;
  for (const cases of sizesOf) {
    const runs = [runOf(cases, 1), runOf(cases, 2)];
    const [took, least] = [timeOf(() => work(runs)), timeOf(() => floor(runs))];
    const ratio = before === null ? '' : `${short(took / before)}x`;
    rows.push([
      name,
      cases.toLocaleString('en-US'),
      short(took),
      short((took * 1000) / cases),
      `${short(took / Math.max(least, 0.01))}x`,
      ratio,
    ]);
    before = took;
  }
}
printTable(
  `Statements about runs, ${REPEATS} repeats each`,
  ['', 'cases', 'ms', 'µs a case', 'times the floor', 'for ten times the cases'],
  rows,
);
