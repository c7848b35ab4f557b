import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CriteriaError } from '../errors.ts';
import type { Json } from '../json.ts';
import { migrateEvalData } from '../migration/migrate.ts';
import { readEvalData } from '../migration/read-eval-data.ts';
import { contentText, intermediateTexts, toolCalls } from './accessors.ts';
import type { EvalSet } from './model.ts';
import {
  parseConversationScenarios,
  parseEvalConfig,
  parseEvalSet,
  parseSessionInput,
  writeConversationScenarios,
  writeEvalConfig,
  writeEvalSet,
  writeSessionInput,
} from './parse.ts';

// Reads ADK's own files from a folder next to this repository. If it is missing, `shapes.test.ts` covers the same
// formats with our own files.

const folder = new URL('../../../../../shared/fixtures/', import.meta.url);
const absent = !existsSync(folder);
const load = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const files = absent
  ? []
  : readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

type Kind = 'config' | 'scenarios' | 'session input' | 'session dump' | 'agents-cli dataset' | 'eval data';

function kindOf(file: string): Kind {
  if (file.endsWith('config.json')) return 'config';
  if (file.endsWith('scenarios.json')) return 'scenarios';
  if (file.endsWith('session_input.json')) return 'session input';
  if (file.endsWith('-dataset.json')) return 'agents-cli dataset';
  return file.endsWith('.session.json') ? 'session dump' : 'eval data';
}

/** Functions that read a file and write it again, by kind of file. */
const through: Record<Exclude<Kind, 'session dump' | 'agents-cli dataset'>, (value: unknown) => Json> = {
  config: (value) => writeEvalConfig(parseEvalConfig(value).value),
  scenarios: (value) => writeConversationScenarios(parseConversationScenarios(value).value),
  'session input': (value) => writeSessionInput(parseSessionInput(value).value),
  'eval data': (value) => writeEvalSet(readEvalData(value).value),
};

describe.skipIf(absent)("ADK's own files", () => {
  it('are all present', () => {
    const counts = new Map<Kind, number>();
    for (const file of files) counts.set(kindOf(file), (counts.get(kindOf(file)) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      config: 23,
      'eval data': 44,
      'agents-cli dataset': 1,
      'session dump': 8,
      scenarios: 1,
      'session input': 1,
    });
  });

  it.each(files)('are read without loss, or rejected if they are session dumps: %s', (file) => {
    const kind = kindOf(file);
    const value = load(file);
    if (kind === 'session dump') {
      const refusal = refusalOf(() => readEvalData(value, { file }));
      expect(refusal).toEqual({
        code: 'UNKNOWN_FORMAT',
        file,
        path: '$',
        message: expect.stringMatching(/^this is a session dump, not an eval set: .*initial session/),
      });
    } else if (kind === 'agents-cli dataset') {
      expect(readEvalData(value, { file })).toMatchObject({ format: 'agents-cli', warnings: [] });
      const { value: set, format } = migrateEvalData(value, { file });
      expect([format, set.evalCases.length]).toEqual([
        'agents-cli',
        (value as EvalSet & { eval_cases: [] }).eval_cases.length,
      ]);
      expect(parseEvalSet(writeEvalSet(set)).value).toEqual(set);
    } else if (Array.isArray(value)) {
      const { value: set, warnings, format } = migrateEvalData(value, { file });
      expect([format, warnings]).toEqual(['old-test', []]);
      expect(parseEvalSet(writeEvalSet(set)).value).toEqual(set);
    } else {
      expect(JSON.stringify(through[kind](value))).toBe(JSON.stringify(value));
    }
  });
});

// The legacy file, which ADK has migrated itself, and the session that it needs.
const old = '_older/adk-python-v0.4.0/tests/integration/fixture/';
const migrated = '_older/adk-python-2025-06-20/tests/integration/fixture/';
const pairs: [file: string, session?: string][] = [
  ['home_automation_agent/simple_test.test.json'],
  ['home_automation_agent/test_files/simple_test.test.json'],
  ['home_automation_agent/test_files/simple_test2.test.json'],
  ['home_automation_agent/test_files/dependent_tool_calls.test.json'],
  ['home_automation_agent/test_files/simple_multi_turn_conversation.test.json'],
  ['home_automation_agent/test_files/memorizing_past_events/eval_data.test.json'],
  ['hello_world_agent/roll_die.test.json'],
  ['ecommerce_customer_service_agent/order_query.test.json'],
  [
    'trip_planner_agent/test_files/trip_inquiry_sub_agent.test.json',
    'trip_planner_agent/test_files/initial.session.json',
  ],
];

describe.skipIf(absent)("migration of ADK's old files", () => {
  it.each(pairs)("equals ADK's own migration: %s", (file, session) => {
    const initialSession = session === undefined ? null : load(old + session);
    const ours = migrateEvalData(load(old + file), { initialSession }).value;
    const theirs = parseEvalSet(load(migrated + file)).value;
    expect(spoken(ours)).toEqual(spoken(theirs));
  });

  it("has the calls and sessions of ADK's own migration, if ADK recorded new answers", () => {
    const initialSession = load(`${old}trip_planner_agent/initial.session.json`);
    const ours = migrateEvalData(load(`${old}trip_planner_agent/trip_inquiry.test.json`), { initialSession }).value;
    const theirs = parseEvalSet(
      load('tests/integration/fixture/trip_planner_agent/trip_inquiry_multi_turn.test.json'),
    ).value;
    const shape = (set: EvalSet) =>
      set.evalCases.map(({ conversation, sessionInput }) => [
        conversation?.map((invocation) => toolCalls(invocation).map((call) => call.name)),
        sessionInput?.appName,
      ]);
    expect(shape(ours)).toEqual(shape(theirs));
  });
});

/** Returns a set without its ids and times. */
function spoken(set: EvalSet) {
  return set.evalCases.map(({ conversation, sessionInput }) => ({
    turns: conversation?.map((invocation) => ({
      asked: contentText(invocation.userContent),
      answer: invocation.finalResponse?.parts?.map((part) => part.text),
      roles: [invocation.userContent.role, invocation.finalResponse?.role],
      calls: toolCalls(invocation).map(({ name, args }) => ({ name, args })),
      onTheWay: intermediateTexts(invocation),
    })),
    session: sessionInput ?? null,
  }));
}

function refusalOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems[0];
  }
}
