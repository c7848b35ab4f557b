import { type CaseResult, formatShare } from '@agent-criteria/core/host';
import { type GateRecord, type RunCase, type RunRecord, type RunSet, usageOf } from '@agent-criteria/results';
import { gateTitle, gateWord, type ShownOutcome, selectionText, shownOutcome } from '@agent-criteria/results/text';
import { caseDuration } from '@agent-criteria/viewer';
import { isBad, missingText, rangeOf, resultScore, ruleText } from './case-facts.ts';
import { isSimulated } from './endings.ts';
import { xmlAttribute, xmlText } from './escape-xml.ts';
import { formatCase } from './format-case.ts';
import { usageEntries } from './format-usage.ts';
import { truncate } from './prose.ts';
import { isFinished, runProblems } from './run-notes.ts';
import { totalsOfCases } from './run-totals.ts';
import { type ConsoleOptions, styleOf } from './style.ts';

/** The maximum length of an attribute, in characters. */
const LONGEST_MESSAGE = 10_000;

export type JunitOptions = Pick<ConsoleOptions, 'command'>;

/**
 * Generates JUnit XML for a run: a suite for each eval set and a test for each case and variant, with scores,
 * thresholds, coverage and usage as properties. JUnit has no "not evaluated", so such a case becomes an error of this
 * type, because a case that could not be judged must not leave CI green. An unfinished run is an error too. Each gate
 * is a test in `gates`. If gates alone decide, cases that did not pass are skipped, with their failure as text.
 */
export async function* junitReport(run: RunRecord, options: JunitOptions = {}): AsyncGenerator<string> {
  const { info, summary } = run;
  const outcome = shownOutcome(run);
  const { decided, gates } = outcome;
  const problems = [...runProblems(run), ...outcome.problems];
  const ofGates = countsOfGates(gates);
  const ofCases = countsOfCases(summary, decided);
  const counts = {
    tests: ofCases.tests + ofGates.tests + problems.length,
    failures: ofCases.failures + ofGates.failures,
    errors: ofCases.errors + ofGates.errors + problems.length,
    skipped: ofCases.skipped,
  };
  const time = info.endedAt === null ? undefined : seconds(info.endedAt - info.startedAt);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${tag('testsuites', { name: info.agent, ...counts, time })}\n`;
  if (problems.length > 0) {
    const own = { tests: problems.length, failures: 0, errors: problems.length, skipped: 0 };
    yield `  ${tag('testsuite', { name: 'run', ...own })}\n`;
    for (const problem of problems) {
      yield `    ${tag('testcase', { name: 'the run is complete', classname: 'run' })}\n`;
      yield `      ${tag('error', { message: problem, type: 'not-evaluated' })}</error>\n    </testcase>\n`;
    }
    yield '  </testsuite>\n';
  }
  for (const set of run.sets) yield* suite(run, set, outcome, options);
  if (gates.length > 0) yield gateSuite(gates, ofGates);
  yield '</testsuites>\n';
}

type Property = readonly [name: string, value: string];

type Counts = Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>>;

function countsOfCases(summary: RunRecord['summary'], decided: boolean): Counts {
  const { total: tests, verdicts } = summary;
  const [failures, errors] = [verdicts.failed, verdicts.error + verdicts['not-evaluated']];
  return decided
    ? { tests, failures: 0, errors: 0, skipped: failures + errors }
    : { tests, failures, errors, skipped: 0 };
}

function countsOfGates(gates: readonly GateRecord[]): Counts {
  const failures = gates.filter(({ holds }) => holds === false).length;
  const errors = gates.filter(({ holds }) => holds === null).length;
  return { tests: gates.length, failures, errors, skipped: 0 };
}

/** Creates a test for each gate. An undecided gate is an error, because it must not leave CI green. */
function gateSuite(gates: readonly GateRecord[], counts: Counts): string {
  const tests = gates.map((gate) => {
    const { holds, text, baseline } = gate;
    const head = tag('testcase', { name: `gate ${gateTitle(gate)}`, classname: 'gates' });
    const own =
      baseline &&
      properties(
        [
          ['baseline', baseline.id],
          ['baseline sha256', baseline.hash],
        ],
        6,
      );
    const message = truncate(`${gateWord(gate)}: ${text}`, LONGEST_MESSAGE);
    const name = holds === false ? 'failure' : 'error';
    const type = holds === false ? 'gate' : 'not-evaluated';
    const element =
      holds === true
        ? `      <system-out>${xmlText(message)}</system-out>\n`
        : `      ${tag(name, { message, type })}${xmlText(message)}</${name}>\n`;
    return `    ${head}\n${own ?? ''}${element}    </testcase>\n`;
  });
  return `  ${tag('testsuite', { name: 'gates', ...counts })}\n${tests.join('')}  </testsuite>\n`;
}

async function* suite(
  run: RunRecord,
  set: RunSet,
  outcome: ShownOutcome,
  options: JunitOptions,
): AsyncGenerator<string> {
  const { decided, state, headline, exitCode, notes } = outcome;
  const counts = countsOfCases(set.summary, decided);
  const chosen = selectionText(run);
  const { endings, usage } = await totalsOfCases(run.cases(set.id));
  const timestamp = new Date(run.info.startedAt).toISOString().slice(0, 19);
  yield `  ${tag('testsuite', { name: set.id, ...counts, timestamp, file: set.file ?? undefined })}\n`;
  const ofSet: readonly Property[] = [
    ['run', run.info.id],
    ...(run.info.name === undefined ? [] : [['run_name', run.info.name] as const]),
    ...(run.info.commit === undefined ? [] : [['commit', run.info.commit.hash] as const]),
    ['run_finished', String(isFinished(run.info))],
    ...(state === 'none' ? [] : [['outcome', headline] as const]),
    ...(state === 'none' || exitCode === null ? [] : [['exit_code', String(exitCode)] as const]),
    ...notes.map((note) => ['note', note] as const),
    ...(chosen === null ? [] : [['selection', chosen] as const]),
    ...(run.info.compat === null ? [] : [['compat', run.info.compat] as const]),
    ...set.criteria.map((criterion) => [criterion.name, ruleText(criterion)] as const),
    ...Object.entries(endings).map(([by, count]) => [`conversations ended by ${by}`, String(count)] as const),
    ...usageEntries(usage),
  ];
  yield properties(ofSet, 4);
  for await (const one of run.cases(set.id)) yield testCase(set, one, decided, options);
  yield '  </testsuite>\n';
}

function testCase(set: RunSet, one: RunCase, decided: boolean, options: JunitOptions): string {
  const { result } = one;
  const duration = caseDuration(one);
  const time = duration === null ? undefined : seconds(duration);
  const byWhom = one.variant === undefined ? '' : ` (${one.variant})`;
  const variant: readonly Property[] = one.variant === undefined ? [] : [['variant', one.variant]];
  const head = { name: `${result.caseId}${byWhom}`, classname: set.id, time, file: set.file ?? undefined };
  return [
    `    ${tag('testcase', head)}\n`,
    properties([...variant, ...scoresOf(result, set), ...endingsOf(one), ...usageEntries(usageOf(one))], 6),
    resultOf(set, one, decided, options),
    '    </testcase>\n',
  ].join('');
}

function resultOf(set: RunSet, one: RunCase, decided: boolean, options: JunitOptions): string {
  const { verdict, reason } = one.result;
  if (verdict === 'passed') return '';
  const text = xmlText(formatCase(set, one, styleOf(options)));
  if (!isBad(verdict))
    return `      <system-out>${xmlText(`${truncate(reason ?? verdict, LONGEST_MESSAGE)}\n`)}${text}</system-out>\n`;
  if (decided) {
    const message = truncate(`${verdict}; the gates decide`, LONGEST_MESSAGE);
    const why = `${truncate(reason ?? verdict, LONGEST_MESSAGE)}\n`;
    return `      ${tag('skipped', { message }).slice(0, -1)}/>\n      <system-out>${xmlText(why)}${text}</system-out>\n`;
  }
  const name = verdict === 'failed' ? 'failure' : 'error';
  return `      ${tag(name, { message: truncate(reason ?? verdict, LONGEST_MESSAGE), type: verdict })}${text}</${name}>\n`;
}

/** Returns the results by each criterion, leaving out missing numbers. */
function scoresOf({ verdict, criteria, units }: CaseResult, set: RunSet): readonly Property[] {
  const passed = units.filter((unit) => unit.verdict === 'passed').length;
  return [
    ['verdict', verdict],
    ...(units.length > 1 && verdict !== 'informational'
      ? [['repeats passed', `${passed} of ${units.length}`] as const]
      : []),
    ...criteria.flatMap((criterion): readonly Property[] => {
      const { name, score, threshold, coverage } = criterion;
      const missing = missingText(criterion);
      return [
        [`${name} score`, score === null ? missing : resultScore(criterion, rangeOf(criterion, set))],
        [`${name} threshold`, threshold === null ? 'none' : String(threshold)],
        [`${name} coverage`, coverage === null ? missing : formatShare(coverage)],
        [`${name} verdict`, criterion.verdict],
      ];
    }),
  ];
}

/** Returns the endings of conversations with a simulated user, by repeat. */
function endingsOf(one: RunCase): readonly Property[] {
  if (!isSimulated(one)) return [];
  const { units } = one.result;
  return units.map(({ repeat, ending }) => {
    const name = units.length > 1 ? `repeat ${repeat + 1} ended by` : 'ended by';
    const why = ending.by === 'error' ? ending.error.message : ending.reason;
    return [name, truncate(why === undefined ? ending.by : `${ending.by}: ${why}`, LONGEST_MESSAGE)];
  });
}

function properties(entries: readonly Property[], margin: number): string {
  const blanks = ' '.repeat(margin);
  const lines = entries.map(([name, value]) => `${blanks}  ${tag('property', { name, value }).slice(0, -1)}/>\n`);
  return `${blanks}<properties>\n${lines.join('')}${blanks}</properties>\n`;
}

/** Formats an opening tag. Attributes without a value are omitted. */
function tag(name: string, attributes: Readonly<Record<string, string | number | undefined>>): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${xmlAttribute(String(value))}"`,
  );
  return `<${name}${written.join('')}>`;
}

function seconds(milliseconds: number): string {
  return (Math.max(milliseconds, 0) / 1000).toFixed(3);
}
