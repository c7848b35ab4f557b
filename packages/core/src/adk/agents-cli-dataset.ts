import { fingerprint } from '../data/fingerprint.ts';
import type {
  Content,
  EvalCase,
  EvalSet,
  FunctionCall,
  FunctionResponse,
  Invocation,
  Part,
  Rubric,
} from '../data/model.ts';
import { modelSchema } from '../data/model-schema.ts';
import type { Parsed, ParseOptions } from '../data/parse.ts';
import { CriteriaError, type Problem } from '../errors.ts';
import { isObject } from '../json.ts';
import { describeValue } from '../schema/describe.ts';
import { formatPath } from '../schema/path.ts';
import { type ProblemList, problemList } from '../schema/problem-list.ts';
import { respell } from '../schema/respell.ts';
import { fieldOf } from '../schema/spelling.ts';

// The datasets of Google's agents-cli (1.4): https://github.com/google/agents-cli. Extra fields are allowed there.

interface Reading {
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  readonly file: string | undefined;
}

const READ = ['evalCaseId', 'prompt', 'agentData', 'reference', 'rubricGroups', 'userScenario'];
const RUBRIC_TYPES = ['FINAL_RESPONSE_QUALITY', 'TOOL_USE_QUALITY', 'INSTRUCTION_ADHERENCE'];

/**
 * A dataset of agents-cli as an eval set: prompts and recorded turns, the expected answer of the last turn, rubrics and
 * scenarios. What has no place in an eval set is left out, each with a warning.
 *
 * @param options.id The id of the set. Default: made from the content.
 * @throws CriteriaError with every mistake in the dataset, with its path there.
 */
export function readAgentsCliDataset(
  value: unknown,
  options: ParseOptions & { readonly id?: string | undefined } = {},
): Parsed<EvalSet> {
  const { file } = options;
  const reading: Reading = { problems: problemList(file), warnings: problemList(file), file };
  const rows = fieldOf(value, 'evalCases');
  const list: readonly unknown[] = Array.isArray(rows) ? rows : [];
  if (list.length === 0) reading.problems.add('EMPTY', '$.eval_cases', () => 'the dataset has no case; add one');
  const evalCases = list.flatMap((row, index) => readCase(reading, row, index) ?? []);
  checkIds(reading, evalCases);
  const problems: readonly Problem[] = reading.problems.list();
  if (problems.length > 0) throw new CriteriaError(problems);
  if (evalCases.some(({ conversation }) => conversation?.every(({ intermediateData }) => !intermediateData))) {
    const message =
      'agents-cli datasets do not list expected tool calls: with tool_trajectory_avg_score, a case without any expects none';
    reading.warnings.add('UNKNOWN_KEY', '$.eval_cases', () => message);
  }
  const id = options.id ?? `migrated_${fingerprint(evalCases)}`;
  return { value: { evalSetId: id, name: id, evalCases, creationTimestamp: 0 }, warnings: reading.warnings.list() };
}

function readCase(reading: Reading, row: unknown, index: number): EvalCase | null {
  const at = (...more: (string | number)[]): string => formatPath(['eval_cases', index, ...more]);
  if (!isObject(row)) {
    reading.problems.add('INVALID_DATA', at(), () => `expected an object, found ${describeValue(row)}`);
    return null;
  }
  const evalId = fieldOf(row, 'evalCaseId');
  if (typeof evalId !== 'string') {
    reading.problems.add('INVALID_DATA', at(), () => '"eval_case_id" is missing (text)');
    return null;
  }
  for (const key of Object.keys(row)) {
    if (READ.every((known) => fieldOf({ [key]: 1 }, known) === undefined)) {
      reading.warnings.add('UNKNOWN_KEY', at(key), () => `"${key}" has no place in an eval set, and is left out`);
    }
  }
  const rubrics = readRubrics(reading, fieldOf(row, 'rubricGroups'), at('rubric_groups'));
  const shared = { ...(rubrics.length === 0 ? {} : { rubrics }), creationTimestamp: 0 };
  const scenario = fieldOf(row, 'userScenario') ?? null;
  if (scenario !== null) {
    const [startingPrompt, conversationPlan] = ['startingPrompt', 'conversationPlan'].map((key) =>
      fieldOf(scenario, key),
    );
    if (typeof startingPrompt === 'string' && typeof conversationPlan === 'string') {
      return { evalId, conversationScenario: { startingPrompt, conversationPlan }, ...shared };
    }
    const message = 'a scenario needs "starting_prompt" and "conversation_plan", both texts';
    reading.problems.add('INVALID_DATA', at('user_scenario'), () => message);
    return null;
  }
  const conversation = readConversation(reading, row, at);
  if (conversation.length === 0) {
    const message =
      'the case has no "prompt", no turn of a user in "agent_data" and no "user_scenario": add one of them';
    reading.problems.add('EMPTY', at(), () => message);
  }
  return { evalId, conversation: conversation.map(withId), ...shared };
}

type Place = (...more: (string | number)[]) => string;
type Turn = Omit<Invocation, 'invocationId'>;

/** The number keeps equal turns of one case apart. */
function withId(turn: Turn, index: number): Invocation {
  return { invocationId: `turn_${fingerprint(turn)}_${index + 1}`, ...turn, creationTimestamp: 0 };
}

function readConversation(reading: Reading, row: object, at: Place): Turn[] {
  const prompt = fieldOf(row, 'prompt') ?? null;
  const said = prompt === null ? null : readContent(reading, prompt, at('prompt'));
  const turns = said === null ? readTurns(reading, fieldOf(row, 'agentData'), at) : [{ userContent: said }];
  const response = fieldOf(fieldOf(row, 'reference'), 'response') ?? null;
  const last = turns.at(-1);
  if (response === null || last === undefined) return turns;
  const finalResponse = readContent(reading, response, at('reference', 'response'));
  return [...turns.slice(0, -1), { ...last, finalResponse }];
}

interface Event {
  readonly author: string;
  readonly content: Content;
}

/** Every message of the user begins a turn, however the dataset has grouped its events. */
function readTurns(reading: Reading, data: unknown, at: Place): Turn[] {
  const turns: { user: Content; events: Event[] }[] = [];
  const listed = fieldOf(data, 'turns');
  for (const [number, turn] of (Array.isArray(listed) ? listed : []).entries()) {
    const events = fieldOf(turn, 'events');
    for (const [place, event] of (Array.isArray(events) ? events : []).entries()) {
      const written = fieldOf(event, 'content') ?? null;
      if (written === null) continue;
      const content = readContent(reading, written, at('agent_data', 'turns', number, 'events', place, 'content'));
      const author = String(fieldOf(event, 'author') ?? content.role ?? 'agent');
      if (author === 'user' && !content.parts?.some((part) => part.functionResponse)) {
        turns.push({ user: content, events: [] });
      } else turns.at(-1)?.events.push({ author, content });
    }
  }
  return turns.map(({ user, events }) => ofEvents(user, events));
}

function ofEvents(userContent: Content, events: readonly Event[]): Turn {
  const texts = events.filter(({ content }) => content.parts?.some(isText));
  const final = texts.at(-1);
  const parts = events.flatMap(({ content }) => content.parts ?? []);
  const before = texts.filter((event) => event !== final);
  return {
    userContent,
    ...(final === undefined
      ? {}
      : { finalResponse: { role: 'model', parts: final.content.parts?.filter(isText) ?? [] } }),
    intermediateData: {
      toolUses: parts.flatMap(({ functionCall }): FunctionCall[] => (functionCall ? [functionCall] : [])),
      toolResponses: parts.flatMap(({ functionResponse }): FunctionResponse[] =>
        functionResponse ? [functionResponse] : [],
      ),
      intermediateResponses: before.map(({ author, content }): [string, Part[]] => [
        author,
        content.parts?.filter(isText) ?? [],
      ]),
    },
  };
}

function isText({ text, thought }: Part): boolean {
  return typeof text === 'string' && text !== '' && thought !== true;
}

function readContent(reading: Reading, value: unknown, path: string): Content {
  const read = respell(value, modelSchema('Content'), { unknownKeys: 'keep', path, file: reading.file });
  for (const { code, message, path: place = path } of read.problems) reading.problems.add(code, place, () => message);
  for (const { code, message, path: place = path } of read.warnings) reading.warnings.add(code, place, () => message);
  return isObject(read.value) ? (read.value as Content) : {};
}

/** A group has no type of ADK's, unless its name is one: then its rubrics are about the answer. */
function readRubrics(reading: Reading, groups: unknown, path: string): Rubric[] {
  if (!isObject(groups)) return [];
  return Object.entries(groups).flatMap(([name, group]) => {
    const type = RUBRIC_TYPES.find((known) => known === name.toUpperCase()) ?? 'FINAL_RESPONSE_QUALITY';
    const listed = fieldOf(group, 'rubrics');
    return (Array.isArray(listed) ? listed : []).flatMap((rubric, index): Rubric[] => {
      const text = fieldOf(fieldOf(fieldOf(rubric, 'content'), 'property'), 'description');
      if (typeof text !== 'string') {
        const place = `${path}.${name}.rubrics[${index}]`;
        reading.problems.add('INVALID_DATA', place, () => 'a rubric needs a text at content.property.description');
        return [];
      }
      const id = fieldOf(rubric, 'rubricId');
      return [
        { rubricId: typeof id === 'string' ? id : `${name}_${index + 1}`, rubricContent: { textProperty: text }, type },
      ];
    });
  });
}

function checkIds(reading: Reading, cases: readonly EvalCase[]): void {
  const seen = new Set<string>();
  for (const { evalId } of cases) {
    if (seen.has(evalId)) {
      reading.problems.add(
        'DUPLICATE_ID',
        '$.eval_cases',
        () => `two cases have the id "${evalId}"; give every case its own`,
      );
    }
    seen.add(evalId);
  }
}
