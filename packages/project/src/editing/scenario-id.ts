import { sha256 } from '@agent-criteria/calls';
import type { ConversationScenario, Json, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { writeConversationScenarios } from '@agent-criteria/formats/parse';

// The fields in ADK's data. Others do not affect the id.
const SCENARIO = ['starting_prompt', 'conversation_plan', 'user_persona'];
const PERSONA = ['id', 'description', 'behaviors'];
const BEHAVIOR = ['name', 'description', 'behavior_instructions', 'violation_rubrics'];

/**
 * Returns the id that ADK gives a case made from a scenario: the first eight digits of the SHA-256 of the scenario as
 * Python writes it, with all fields, sorted keys and escaped non-ASCII characters. For a persona given by id, ADK
 * hashes the complete persona, so that the ids differ.
 */
export function scenarioId(scenario: ConversationScenario): string {
  const written = writeConversationScenarios({ scenarios: [scenario] }) as {
    readonly scenarios: readonly State[];
  };
  const fields = pick(written.scenarios[0] ?? {}, SCENARIO);
  const persona = fields.user_persona;
  const whole = { ...fields, user_persona: isObject(persona) ? plainPersona(persona) : (persona ?? null) };
  return sha256(pythonJson(whole)).slice(0, 8);
}

function plainPersona(persona: State): State {
  const { behaviors } = persona;
  const plain = Array.isArray(behaviors) ? behaviors.map((behavior: State) => pick(behavior, BEHAVIOR)) : [];
  return { ...pick(persona, PERSONA), behaviors: plain };
}

function pick(object: State, keys: readonly string[]): State {
  return Object.fromEntries(keys.map((key) => [key, object[key] ?? null]));
}

/** Writes objects, lists, strings and null as Python's `json.dumps(value, sort_keys=True)` does. */
export function pythonJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return escapeBeyondAscii(JSON.stringify(value));
  const entries = Object.entries(value as { readonly [key: string]: Json }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${escapeBeyondAscii(JSON.stringify(key))}: ${pythonJson(item)}`).join(', ')}}`;
}

function escapeBeyondAscii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
