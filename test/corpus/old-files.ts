import { cpSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, fill } from './folder.ts';
import { inProcess, type Outcome } from './perform.ts';
import { setVersions } from './run-folders.ts';

// Every kind of file that a user keeps, written by an older version: run folders, a baseline, a recording, the judge
// cache, labels and an instrument. A reading is one command on them, with the facts that it must report: exit code,
// totals, verdicts.

/** The commits that wrote the files. The project is that of the first. */
export const versions = ['2a0768d7', 'a9f77a8e'] as const;
type Version = (typeof versions)[number];

/** A run that the older version started. */
export interface KeptRun {
  /** The name of its folder. */
  readonly name: string;
  readonly begun: readonly string[];
  /** Environment variables that the agent had at the time. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The version that wrote it. Default: the first. */
  readonly version?: Version;
  /** Whether only its baseline file is kept. */
  readonly baselineOnly?: boolean;
}

/** One command on the stored files. */
export interface Reading {
  readonly name: string;
  /** The version whose files it reads. Default: the first. */
  readonly version?: Version;
  readonly args: readonly string[];
  /** The runs to copy: all that the command needs. */
  readonly runs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the last inference of its run is truncated, as if the machine had crashed. */
  readonly torn?: boolean;
  /** Whether a score of its run was edited. */
  readonly edited?: boolean;
  readonly facts: (ended: Outcome, folder: string) => unknown;
}

export const secret = { SHOP_API_KEY: 'correct-horse-battery' };
const slowly = ['--concurrency-agents', '1'];
const plain = [
  'eval',
  '.',
  'plain.evalset.json:right,two_turns,wrong,varies,lamp',
  '--config-file-path',
  'plain.json',
  '--repeats',
  '2',
];
const broken = ['eval', '.', 'plain.evalset.json:right,wrong,breaks', '--config-file-path', 'plain.json'];
const variants = ['--variant', 'good=agent.mjs', '--variant', 'worse=agent.mjs#worse'];
const varied = ['eval', 'plain.evalset.json:right,wrong', ...variants, '--config-file-path', 'plain.json'];
const strict = ['--config-file-path', 'strict.json'];
const groups = ['eval', '.', 'groups.evalset.json', ...strict];
const three = ['eval', '.', 'three.evalset.json', ...strict];
const auto = ['eval', '.', 'auto/auto.evalset.json', '--repeats', 'auto:12'];
const masked = ['eval', '.', 'secret.evalset.json', '--config-file-path', 'secret.json', '--no-cache'];
const judged = ['eval', '.', 'desk.evalset.json'];

/** Runs that keep their outcome, with its gates and hashes: the folder, and how each was started. */
const withOutcomes = [
  ['gate-holds', ...three, '--gate', 'pass_rate=0.2'],
  ['gate-cannot-tell', ...three, '--gate', 'pass_rate=0.9'],
  ['gate-does-not-hold', ...auto],
  ['without-gates', ...plain],
  ['of-variants', ...varied],
  ['of-a-judge', ...judged, '--no-cache'],
] as const;

export const keptRuns: readonly KeptRun[] = [
  { name: 'plain', begun: plain },
  { name: 'with-an-error', begun: broken, environment: { BROKEN: '1' } },
  { name: 'variants', begun: varied },
  { name: 'groups', begun: groups },
  { name: 'groups-worse', begun: groups, environment: { WORSE: '1' } },
  { name: 'seven', begun: ['eval', '.', 'seven.evalset.json', ...strict], baselineOnly: true },
  { name: 'three', begun: three },
  { name: 'three-worse', begun: three, environment: { WORSE: '1' } },
  { name: 'stopped-early', begun: auto },
  { name: 'masked', begun: masked, environment: secret },
  { name: 'judged', begun: judged },
  { name: 'killed', begun: [...plain, ...slowly], environment: { KILLED_IN_TURN: '8' } },
  { name: 'killed-variants', begun: [...varied, ...slowly], environment: { KILLED_IN_TURN: '2' } },
  { name: 'killed-auto', begun: [...auto, ...slowly], environment: { KILLED_IN_TURN: '6' } },
  { name: 'killed-masked', begun: [...masked, ...slowly], environment: { ...secret, KILLED_IN_TURN: '3' } },
  { name: 'killed-judged', begun: [...judged, '--no-cache', ...slowly], environment: { KILLED_IN_TURN: '4' } },
  ...withOutcomes.map(([name, ...begun]): KeptRun => ({ name, begun, version: 'a9f77a8e' })),
];

const folders = runsOf('2a0768d7')
  .filter(({ baselineOnly }) => baselineOnly !== true)
  .map(({ name }) => name);
const finished = folders.filter((name) => !name.startsWith('killed'));
const killed = folders.filter((name) => name.startsWith('killed'));
/** A judge that must not be called. */
const silent = { SILENT_JUDGE: '1' };

/** Lists the runs that a version wrote, and the readings of them. */
export function runsOf(version: string): readonly KeptRun[] {
  return keptRuns.filter((one) => (one.version ?? versions[0]) === version);
}

export function readingsOf(version: string): readonly Reading[] {
  return readings.filter((one) => (one.version ?? versions[0]) === version);
}

export const readings: readonly Reading[] = [
  {
    name: 'list the runs',
    args: ['runs', '--json'],
    runs: folders,
    facts: ({ code, out }) => ({
      code,
      runs: listOf(JSON.parse(out)).map(({ folder, summary, endedAt, sets, problem }) =>
        [
          String(folder).split(/[\\/]/).at(-1),
          endedAt === null ? 'unfinished' : 'finished',
          listOf(sets).join(','),
          totalsOf(summary),
          problem ?? '',
        ].join(' · '),
      ),
    }),
  },
  ...finished.map(
    (name): Reading => ({
      name: `show ${name}`,
      args: ['show', `runs/${name}`, '--json'],
      runs: [name],
      facts: runFacts,
    }),
  ),
  ...finished.map(
    (name): Reading => ({
      name: `report ${name} as JSON`,
      args: ['report', `runs/${name}`, '--format', 'json'],
      runs: [name],
      // The cases are the same as for `show`.
      facts: (ended) => ({ ...runFacts(ended), cases: undefined, answers: undefined }),
    }),
  ),
  ...['plain', 'masked', 'judged'].map(
    (name): Reading => ({
      name: `report ${name} as JUnit`,
      args: ['report', `runs/${name}`, '--format', 'junit'],
      runs: [name],
      facts: ({ code, out }) => ({ code, totals: /<testsuites[^>]*>/.exec(out)?.[0].replace(/ time="[^"]*"/, '') }),
    }),
  ),
  ...['plain', 'judged'].map(
    (name): Reading => ({
      name: `report ${name} for ADK`,
      args: ['report', `runs/${name}`, '--format', 'adk', '--output', 'adk'],
      runs: [name],
      facts: ({ code }, folder) => ({ code, cases: adkStatuses(join(folder, 'adk')) }),
    }),
  ),
  ...[
    ['groups', 'groups-worse'],
    ['groups-worse', 'groups'],
    ['three', 'three-worse'],
    ['variants#good', 'variants#worse'],
    ['plain', 'with-an-error'],
    ['plain', 'three'],
  ].map(
    ([base = '', next = '']): Reading => ({
      name: `compare ${base} with ${next}`,
      args: ['compare', `runs/${base}`, `runs/${next}`, '--json'],
      runs: [base, next].map((name) => name.replace(/#.*/, '')),
      facts: comparisonFacts,
    }),
  ),
  ...killed.map(
    (name): Reading => ({
      name: `resume ${name}`,
      args: ['resume', `runs/${name}`, '--no-cache'],
      runs: [name],
      ...(name === 'killed-masked' && { environment: secret }),
      facts: shownAfterwards(name),
    }),
  ),
  {
    name: 'resume killed with a torn last line',
    args: ['resume', 'runs/killed'],
    runs: ['killed'],
    torn: true,
    facts: shownAfterwards('killed'),
  },
  {
    name: 'resume with-an-error after the repair',
    args: ['resume', 'runs/with-an-error'],
    runs: ['with-an-error'],
    facts: shownAfterwards('with-an-error'),
  },
  {
    name: 'score plain with another config',
    args: ['score', 'runs/plain', ...strict],
    runs: ['plain'],
    facts: shownAfterwards('plain'),
  },
  {
    name: 'score variants with another config',
    args: ['score', 'runs/variants', ...strict],
    runs: ['variants'],
    facts: shownAfterwards('variants'),
  },
  {
    name: 'score judged from the recording',
    args: ['score', 'runs/judged', '--no-cache', '--recording', 'judge.jsonl:replay'],
    runs: ['judged'],
    environment: silent,
    facts: shownAfterwards('judged'),
  },
  {
    name: 'score judged from the cache',
    args: ['score', 'runs/judged'],
    runs: ['judged'],
    environment: silent,
    facts: shownAfterwards('judged'),
  },
  {
    name: 'eval from the recording',
    args: [...judged, '--no-cache', '--recording', 'judge.jsonl:replay', '--json'],
    environment: silent,
    facts: runFacts,
  },
  { name: 'eval from the cache', args: [...judged, '--json'], environment: silent, facts: runFacts },
  {
    name: 'eval what failed in plain',
    args: [...plain, '--failed-in', 'runs/plain', '--json'],
    runs: ['plain'],
    facts: runFacts,
  },
  ...['seven', 'three', 'groups'].flatMap((name) =>
    ['unchanged', 'got worse'].map(
      (how): Reading => ({
        name: `eval ${name} ${how} against the baseline file`,
        args: ['eval', '.', `${name}.evalset.json`, ...strict, '--baseline', `${name}.base.json`, '--json'],
        ...(how === 'got worse' && { environment: { WORSE: '1' } }),
        facts: runFacts,
      }),
    ),
  ),
  {
    name: 'eval groups got worse against the run',
    args: [...groups, '--baseline', 'runs/groups', '--json'],
    runs: ['groups'],
    environment: { WORSE: '1' },
    facts: runFacts,
  },
  {
    name: 'write the baseline of three',
    args: ['baseline', 'set', 'runs/three', '--output', 'written.json'],
    runs: ['three'],
    facts: ({ code }, folder) => ({ code, baseline: contentOf(join(folder, 'written.json')) }),
  },
  {
    name: 'export the labels of judged',
    args: ['label', 'runs/judged', '--export', 'exported.csv'],
    runs: ['judged'],
    facts: ({ code }, folder) => ({ code, rows: sortedRows(readFileSync(join(folder, 'exported.csv'), 'utf8')) }),
  },
  {
    name: 'import the label file again',
    args: ['label', 'runs/judged', '--import', 'labels.csv', '--by', 'ben'],
    runs: ['judged'],
    facts: ({ code, out }) => ({ code, out }),
  },
  {
    name: 'calibrate judged',
    args: ['calibrate', 'runs/judged', '--json'],
    runs: ['judged'],
    facts: ({ code, out }) => ({ code, judges: agreements(JSON.parse(out)) }),
  },
  {
    name: 'eval with the instrument',
    args: [...judged, '--json'],
    environment: { ...silent, WITH_INSTRUMENT: '1' },
    facts: runFacts,
  },
  ...withOutcomes.flatMap(([name]): readonly Reading[] => [
    {
      name: `show the outcome of ${name}`,
      version: 'a9f77a8e',
      args: ['show', `runs/${name}`, '--json'],
      runs: [name],
      facts: (ended) => ({ ...runFacts(ended), ...outcomeOf(ended) }),
    },
    {
      name: `edit the scores of ${name}`,
      version: 'a9f77a8e',
      args: ['show', `runs/${name}`, '--json'],
      runs: [name],
      edited: true,
      facts: outcomeOf,
    },
  ]),
];

/** Returns the recorded outcome, and whether it is trusted. */
function outcomeOf({ out }: Outcome) {
  const { outcome }: Facts = JSON.parse(out);
  const { state, verdict, exitCode, decided } = outcome;
  return { outcome: { state, verdict, exitCode, decided } };
}

/** A command's JSON, which only this file reads. */
type Facts = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

function listOf(value: unknown): readonly Facts[] {
  return Array.isArray(value) ? value : [];
}

const place = (version: string, ...path: readonly string[]) => join(import.meta.dirname, 'old-files', version, ...path);

/** Prepares a working folder with the project, its stored files and some of its runs. */
export function openOldFiles(version: string, runs: readonly string[], folder: string): void {
  copyFolder(place(versions[0], 'project'), folder);
  fill(folder, { packages: ['criteria-llm-judge'] });
  if (existsSync(place(version, 'cache'))) cpSync(place(version, 'cache'), join(folder, 'cache'), { recursive: true });
  for (const name of runs) {
    const to = join(folder, 'runs', name);
    cpSync(place(version, 'runs', name), to, { recursive: true });
    // A run with other packages is rightly rejected; here only the content of the folder matters.
    for (const path of ['plan.json', 'scorings/1/plan.json']) setVersions(join(to, path));
  }
}

/** Reads the stored files of a version with one command. */
export async function read(version: string, reading: Reading, folder: string): Promise<unknown> {
  const { args, runs = [], environment = {}, torn, edited, facts } = reading;
  openOldFiles(version, runs, folder);
  if (torn === true) {
    const inferences = join(folder, 'runs', runs[0] ?? '', 'inferences.jsonl');
    truncateSync(inferences, statSync(inferences).size - 100);
  }
  if (edited === true) {
    const scores = join(folder, 'runs', runs[0] ?? '', 'scorings/1/scores.jsonl');
    writeFileSync(scores, readFileSync(scores, 'utf8').replace('"value":1', '"value":0.5'));
  }
  const ended = await inProcess([...args, '--runs-folder', 'runs'], folder, environment, false);
  try {
    return await facts(ended, folder);
  } catch (error) {
    throw new Error(`${reading.name}: ${error}\n${ended.out.slice(0, 500)}\n${ended.err}`);
  }
}

/** Returns a function that reads the run's results with `show`, and the requests to the agent. */
function shownAfterwards(name: string) {
  return async ({ code }: Outcome, folder: string): Promise<unknown> => {
    const shown = await inProcess(['show', `runs/${name}`, '--json', '--runs-folder', 'runs'], folder, {}, false);
    const log = join(folder, 'asked.log');
    return {
      ...runFacts(shown),
      code,
      asked: existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').sort() : [],
    };
  };
}

/** Returns the totals, cases, gates and answers of a run as JSON. */
function runFacts({ code, out, err }: Outcome) {
  if (out === '') return { code, err };
  const { finished, summary, run, sets, gates, outcome, masked, statistics }: Facts = JSON.parse(out);
  const instruments = listOf(statistics).flatMap(({ judges }) =>
    listOf(judges).flatMap(({ criterion, agreement, differs }) =>
      listOf(agreement).map(
        (one) => `${criterion}: ${one.things} labels, agreement ${one.agreement.value}, ${differs}`,
      ),
    ),
  );
  // Today they are part of the recorded outcome.
  const given = listOf(gates?.results ?? outcome?.gates);
  return {
    code,
    ...(finished !== undefined && { finished }),
    totals: totalsOf(summary),
    units: `${run.units.finished} of ${run.units.total}`,
    cases: listOf(sets).flatMap(({ cases }) => listOf(cases).map(caseFacts)),
    answers: listOf(sets).flatMap(({ inferences }) => listOf(inferences).map(answersOf)),
    ...(given.length > 0 && { gates: given.map(gateFacts) }),
    ...(masked !== undefined && { masked }),
    ...(instruments.length > 0 && { instruments }),
  };
}

function totalsOf(summary: Facts | null | undefined): string {
  if (summary === null || summary === undefined) return 'no totals';
  const counts = Object.entries(summary.verdicts).filter(([, number]) => number !== 0);
  const named = counts.map(([verdict, number]) => `${number} ${verdict}`).join(', ');
  return `${summary.verdict}: ${named} of ${summary.total}, exit ${summary.exitCode}`;
}

function caseFacts({ caseId, variant, verdict, criteria, units }: Facts): string {
  const name = variant === undefined ? caseId : `${caseId} (${variant})`;
  const scored = listOf(criteria)
    .filter((one) => one.verdict !== 'informational')
    .map((one) => `${one.name} ${one.verdict} ${one.score} (${one.coverage})`);
  const repeats = listOf(units).map((one) => `${one.repeat} ${one.ending.by} ${one.verdict}`);
  return [`${name}: ${verdict}`, ...scored, ...repeats].join(' · ');
}

function answersOf({ key, inference }: Facts): string {
  const turns = listOf(inference.invocations).map(
    ({ finalResponse, intermediateData }) =>
      (finalResponse?.parts?.[0]?.text ?? 'no answer') +
      listOf(intermediateData?.toolUses)
        .map((call) => ` ${call.name}(${JSON.stringify(call.args)})`)
        .join(''),
  );
  return `${key.variant ?? '-'} ${key.caseId} ${key.repeat}: ${turns.join(' | ')}`;
}

function gateFacts({ name, holds }: Facts): string {
  return `${name}: ${holds ?? 'cannot tell'}`;
}

function comparisonFacts({ code, out, err }: Outcome) {
  if (out === '') return { code, err };
  const { outcome, cases, passRate, criteria, flipped, notCompared }: Facts = JSON.parse(out);
  return {
    code,
    outcome,
    paired: cases.paired,
    changes: [passRate, ...listOf(criteria)].filter((one) => one !== null).map(changeFacts),
    flipped: listOf(flipped).map(
      (one) => `${one.caseId}: ${one.base?.verdict ?? one.before} to ${one.candidate?.verdict ?? one.after}`,
    ),
    notCompared: listOf(notCompared).map((one) => one.name),
  };
}

/** Describes a change without its p-value and interval, whose methods may change. */
function changeFacts({ name, verdict, base, candidate, difference }: Facts): string {
  const rounded = (one: unknown) => {
    const value = typeof one === 'object' && one !== null ? (Object(one).value ?? Object(one).estimate) : one;
    return typeof value === 'number' ? String(Math.round(value * 1e9) / 1e9) : String(value);
  };
  return `${name}: ${verdict}, ${rounded(base)} to ${rounded(candidate)}, by ${rounded(difference)}`;
}

function adkStatuses(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      let content: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      // ADK writes the document as a string inside a document.
      if (typeof content === 'string') content = JSON.parse(content);
      const results = listOf(Object(content).eval_case_results);
      return results.map(
        (one) =>
          `${one.eval_id}: ${one.final_eval_status}, ` +
          listOf(one.overall_eval_metric_results)
            .filter((metric) => metric.eval_status !== 4)
            .map((metric) => `${metric.metric_name} ${metric.score} ${metric.eval_status}`)
            .join(', '),
      );
    });
}

/** Returns a baseline without the parts that depend on the date. */
function contentOf(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    ['duration', 'createdAt', 'startedAt', 'endedAt', 'packages', 'invocation_duration_v1'].includes(key)
      ? undefined
      : value,
  );
}

/** Returns the header, then the rows sorted by name, because their order is seeded by the run id. */
function sortedRows(csv: string): readonly string[] {
  const [header = '', ...rows] = csv.trimEnd().split('\r\n');
  return [header, ...rows.sort()];
}

/** Returns the counts; intervals and corrections are computed with current methods. */
function agreements({ people, kinds, unmatched }: Facts): unknown {
  return {
    people,
    unmatched,
    kinds: listOf(kinds).map(
      ({ criterion, rubric, unit, instrument, things, cases, ties, unjudged, table, differences }) => ({
        criterion,
        rubric,
        unit,
        judged: [instrument.origin, instrument.options, ...instrument.prompts, ...instrument.judges].join(' · '),
        things,
        cases,
        ties,
        unjudged,
        table,
        differences: listOf(differences).map(
          (one) => `${one.caseId} turn ${one.turn}: judge ${one.judge}, people ${one.people}`,
        ),
      }),
    ),
  };
}
