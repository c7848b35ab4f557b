import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { migrateEvalData } from '../migration/migrate.ts';
import {
  type Parsed,
  parseConversationGenerationConfig,
  parseConversationScenarios,
  parseEvalConfig,
  parseEvalSet,
  parseEvalSetResult,
  parseSessionInput,
  writeConversationGenerationConfig,
  writeConversationScenarios,
  writeEvalConfig,
  writeEvalSet,
  writeEvalSetResult,
  writeSessionInput,
} from './parse.ts';

// Tests one small file for each file format that ADK writes or reads.

const folder = new URL('../../../conformance/files/', import.meta.url);
const load = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

/** Returns a function that reads a value and writes it again. */
function roundTrip<T>(parse: (value: unknown, where: { file: string }) => Parsed<T>, write: (value: T) => Json) {
  return (value: unknown) => {
    // Passes a file name, because only files cause warnings about ADK's key spelling.
    const { value: read, warnings } = parse(value, { file: 'some.json' });
    return { written: write(read), warnings: warnings.map(({ path, message }) => `${path}: ${message}`) };
  };
}
const evalSet = roundTrip(parseEvalSet, writeEvalSet);
const config = roundTrip(parseEvalConfig, writeEvalConfig);
const result = roundTrip(parseEvalSetResult, writeEvalSetResult);

interface Row {
  readonly through: (value: unknown) => { written: Json; warnings: string[] };
  /** The file with the expected output. Default: the input itself. */
  readonly as?: string;
  readonly warnings?: readonly string[];
}

const shapes: Record<string, Row> = {
  'minimal.test.json': { through: evalSet },
  'every-field.evalset.json': { through: evalSet },
  'recorded.evalset.json': { through: evalSet },
  'message-parts.evalset.json': { through: evalSet },
  'scenarios.evalset.json': { through: evalSet },
  'unknown-keys.evalset.json': {
    through: evalSet,
    warnings: [
      '$.eval_cases[0].conversation[0].user_content.parts[0].fontSize: unknown key "fontSize", kept, but ADK rejects files that contain it',
      '$.eval_cases[0].conversation[0].user_content.channel: unknown key "channel", kept, but ADK rejects files that contain it',
      '$.eval_cases[0].conversation[0].seen_by: unknown key "seen_by", kept, but ADK rejects files that contain it',
      '$.model_execution_mode: unknown key "model_execution_mode", kept, but ADK drops it',
      '$.toolExecutionMode: unknown key "toolExecutionMode", kept, but ADK drops it',
    ],
  },
  'camel-case.evalset.json': {
    through: evalSet,
    as: 'camel-case.written.json',
    warnings: ['evalSetId', 'evalCases'].map((key) => {
      const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return `$.${key}: read here as "${snake}", but ADK's Python accepts only that spelling here; write "${snake}"`;
    }),
  },
  'camel-case.written.json': { through: evalSet },
  'session-input.json': { through: roundTrip(parseSessionInput, writeSessionInput) },
  'conversation-scenarios.json': { through: roundTrip(parseConversationScenarios, writeConversationScenarios) },
  'user-simulation-config.json': {
    through: roundTrip(parseConversationGenerationConfig, writeConversationGenerationConfig),
  },
  'thresholds.config.json': { through: config },
  'every-criterion.config.json': { through: config },
  'custom-metric.config.json': { through: config },
  'user-simulator.config.json': { through: config },
  'audio-simulator.config.json': { through: config },
  'own-keys.config.json': { through: config },
  'camel-case.config.json': { through: config, as: 'camel-case.config.written.json' },
  'camel-case.config.written.json': { through: config },
  'every-field.evalset_result.json': { through: result },
  'old-pairs.evalset_result.json': { through: result },
  'double-encoded.evalset_result.json': { through: result, as: 'old-pairs.evalset_result.json' },
  'old-turns.test.json': {
    through: roundTrip(
      (value) => migrateEvalData(value, { initialSession: load('initial.session.json') }),
      writeEvalSet,
    ),
    as: 'old-turns.migrated.json',
    warnings: [
      '$[0].expected_tool_use[0].mock_tool_output: unknown key "mock_tool_output", left out',
      '$[2].difficulty: unknown key "difficulty", left out',
    ],
  },
  'old-turns.migrated.json': { through: evalSet },
  'old-cases.evalset.json': {
    through: roundTrip((value) => migrateEvalData(value, { id: 'library_hours' }), writeEvalSet),
    as: 'old-cases.migrated.json',
  },
  'old-cases.migrated.json': { through: evalSet },
  'initial.session.json': { through: roundTrip(parseSessionInput, writeSessionInput) },
};

describe.each(Object.entries(shapes))('%s', (file, { through, as = file, warnings = [] }) => {
  it('is read and written without loss, in the same order', () => {
    expect(JSON.stringify(through(load(file)).written, null, 1)).toBe(JSON.stringify(load(as), null, 1));
  });

  it('causes the expected warnings about keys that ADK rejects or drops', () => {
    expect(through(load(file)).warnings).toEqual(warnings);
  });
});

it('every file in the folder is tested', () => {
  const files = readdirSync(folder).filter((file) => file !== 'index.json');
  expect(files.sort()).toEqual(Object.keys(shapes).sort());
});

it("parseEvalSet() returns camelCase keys, except in the user's own maps", () => {
  const { value } = parseEvalSet(load('every-field.evalset.json'));
  const [first] = value.evalCases;
  expect(Object.keys(value)).toEqual([
    '$schema',
    'evalSetId',
    'name',
    'description',
    'evalCases',
    'creationTimestamp',
    'agentCriteria',
  ]);
  expect(first?.sessionInput).toEqual({
    appName: 'library',
    userId: 'reader-31',
    state: { openLoans: [], reader_card: { validUntil: null } },
    sessionId: 'desk-1',
    branch: 'north',
  });
  expect(first?.conversation?.[0]?.intermediateData).toEqual({
    toolUses: [{ name: 'find_book', args: { title: 'The Tin Drum' } }],
    toolResponses: [{ name: 'find_book', response: { copiesOnShelf: 1, shelf_mark: 'G-12' } }],
    intermediateResponses: [['catalogue_agent', [{ text: 'Looking at the shelves.' }]]],
  });
});

it("parseEvalConfig() preserves the spelling of criterion options, except core's own", () => {
  const { criteria, userSimulatorConfig } = parseEvalConfig(load('camel-case.config.written.json')).value;
  expect(criteria?.response_match_score).toEqual({
    threshold: 0.7,
    minCoverage: 0.5,
    whenNotApplicable: 'not-evaluated',
    matchType: 'kept as it is',
  });
  expect(userSimulatorConfig).toEqual({ maxAllowedInvocations: 3 });
});
