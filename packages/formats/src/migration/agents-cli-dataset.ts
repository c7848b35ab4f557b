import { CALLS_NOT_STATED_KEYS, HISTORY_KEY } from '../data/case-keys.ts';
import { fingerprint } from '../data/fingerprint.ts';
import type { EvalCase, EvalSet, Invocation, SessionInput } from '../data/model.ts';
import type { Parsed, ParseOptions } from '../data/parse.ts';
import { CriteriaError, type Problem } from '../errors.ts';
import { isObject, type Json, type State } from '../json.ts';
import { describeValue } from '../schema/describe.ts';
import { problemList } from '../schema/problem-list.ts';
import { withExpectations } from './agents-cli-expectations.ts';
import { type Reading, readModel, readState, textAt, withDelta } from './agents-cli-reading.ts';
import { readRubrics } from './agents-cli-rubrics.ts';
import { readConversation, type Turn } from './agents-cli-turns.ts';
import { fieldAt, itemsAt, type Place, pathOf, reportLeftOut, take, wholeOf } from './left-out.ts';

// The datasets of Google's agents-cli: https://github.com/google/agents-cli, whose own converter to eval sets is
// _to_adk_evalset_dict in eval/optimize_utils.py. They may have additional fields.

/** The maximum number of warnings. */
const MOST_LISTED = 1000;

/** A dataset converted to an eval set. */
export interface ReadDataset extends Parsed<EvalSet> {
  /** The parts of the dataset that are not in the eval set. The warnings include them. */
  readonly leftOut: readonly Problem[];
}

/**
 * Converts an agents-cli dataset to an eval set: prompts, recorded turns as history, initial state, expected answers
 * and calls, rubrics and scenarios. Fields without an equivalent are left out, with warnings.
 *
 * @param options.id The id of the set. Default: derived from the content.
 * @throws CriteriaError with every mistake in the dataset.
 */
export function readAgentsCliDataset(
  value: unknown,
  options: ParseOptions & { readonly id?: string | undefined } = {},
): ReadDataset {
  const { file } = options;
  const reading: Reading = { problems: problemList(file), warnings: problemList(file, MOST_LISTED), file };
  const whole = wholeOf(value);
  const rows = itemsAt(fieldAt(whole, 'evalCases'));
  if (rows.length === 0) reading.problems.add('EMPTY', '$.eval_cases', () => 'the dataset has no case; add one');
  const ids = caseIds(reading, rows);
  const evalCases = rows.flatMap((row, index) => readCase(reading, row, ids[index] ?? '') ?? []);
  const description = textAt(whole, 'description');
  const name = textAt(whole, 'name');
  const problems: readonly Problem[] = reading.problems.list();
  if (problems.length > 0) throw new CriteriaError(problems);
  const lost = problemList(file, MOST_LISTED);
  reportLeftOut(whole, lost);
  const id = options.id ?? `migrated_${fingerprint(evalCases)}`;
  const leftOut = lost.list();
  return {
    value: {
      evalSetId: id,
      name: name ?? id,
      ...(description === null ? {} : { description }),
      evalCases,
      creationTimestamp: 0,
    },
    warnings: [...leftOut, ...reading.warnings.list()],
    leftOut,
  };
}

/** Reads the case ids. A case without an id gets one from its index, as in Google's converter. */
function caseIds(reading: Reading, rows: readonly Place[]): readonly string[] {
  const written = rows.map((row) => {
    const id = fieldAt(row, 'evalCaseId') ?? fieldAt(row, 'evalId');
    if (id === null || id.value === '') return null;
    if (typeof id.value === 'string' || typeof id.value === 'number') return String(take(id));
    reading.problems.add('INVALID_DATA', pathOf(id), () => `expected a text, found ${describeValue(id.value)}`);
    return null;
  });
  const taken = new Set<string>();
  for (const id of written) {
    if (id === null) continue;
    if (taken.has(id)) {
      const message = `two cases have the id "${id}"; give every case its own`;
      reading.problems.add('DUPLICATE_ID', '$.eval_cases', () => message);
    }
    taken.add(id);
  }
  return written.map((id, index) => {
    if (id !== null) return id;
    let generated = `case_${index}`;
    while (taken.has(generated)) generated += '_';
    taken.add(generated);
    return generated;
  });
}

function readCase(reading: Reading, row: Place, evalId: string): EvalCase | null {
  if (!isObject(row.value)) {
    reading.problems.add('INVALID_DATA', pathOf(row), () => `expected an object, found ${describeValue(row.value)}`);
    return null;
  }
  const rubrics = readRubrics(reading, row);
  const shared = { ...(rubrics.length === 0 ? {} : { rubrics: [...rubrics] }), creationTimestamp: 0 };
  const scenario = fieldAt(row, 'userScenario');
  if (scenario !== null) {
    const session = sessionOf(reading, row, {});
    const [startingPrompt, conversationPlan] = [
      textAt(scenario, 'startingPrompt'),
      textAt(scenario, 'conversationPlan'),
    ];
    if (startingPrompt !== null && conversationPlan !== null) {
      return { evalId, conversationScenario: { startingPrompt, conversationPlan }, ...session, ...shared };
    }
    const message = 'a scenario needs "starting_prompt" and "conversation_plan", both texts';
    reading.problems.add('INVALID_DATA', pathOf(scenario), () => message);
    return null;
  }
  const { history, turn, recorded, state } = readConversation(reading, row);
  const session = sessionOf(reading, row, state);
  if (turn === null) {
    const message =
      'the case has no "prompt", no turn of a user in "agent_data" and no "user_scenario": add one of them';
    reading.problems.add('EMPTY', pathOf(row), () => message);
    return null;
  }
  const expected = withExpectations(reading, row, turn, recorded);
  const ignored = expected.withoutArgs.map((name) => [name, { $: { ignore: true } }] as const);
  const agentCriteria: State = {
    ...(history.length === 0 ? {} : { [HISTORY_KEY]: history.length }),
    ...(expected.statesCalls ? {} : { [CALLS_NOT_STATED_KEYS[0]]: [history.length] }),
    ...(ignored.length === 0 ? {} : { tool_trajectory_avg_score: { matchers: Object.fromEntries(ignored) } }),
  };
  const conversation = [...history, expected.turn].map(withId);
  const own = Object.keys(agentCriteria).length === 0 ? {} : { agentCriteria };
  return { evalId, conversation, ...session, ...shared, ...own };
}

/** Adds an id derived from the content. The number distinguishes equal turns of a case. */
function withId(turn: Turn, index: number): Invocation {
  return { invocationId: `turn_${fingerprint(turn)}_${index + 1}`, ...turn, creationTimestamp: 0 };
}

/** Reads the initial session. The system instruction goes into the state, as in Google's converter. */
function sessionOf(reading: Reading, row: Place, seeded: State): { readonly sessionInput?: SessionInput } {
  const written = fieldAt(row, 'sessionInput');
  const own = written === null ? null : readModel(reading, take(written), pathOf(written), 'SessionInput');
  const instruction = fieldAt(row, 'systemInstruction');
  const input = isObject(own) ? (own as unknown as SessionInput) : null;
  const instructed = instruction === null ? {} : { system_instruction: readInstruction(reading, instruction) };
  const before = withDelta(reading, input?.state ?? {}, instructed, pathOf(row));
  const state = withDelta(reading, before, seeded, pathOf(row));
  if (input === null && Object.keys(state).length === 0) return {};
  return { sessionInput: { ...(input ?? { appName: '', userId: '' }), state } };
}

function readInstruction(reading: Reading, place: Place): Json {
  return isObject(place.value) ? (readState(reading, place) as State) : (take(place) as Json);
}
