import type { FunctionResponse, Part } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { type AgentStep, readCall, usageMetadata } from '@agent-criteria/formats/messages';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { textIn } from '../messages/read-parts.ts';
import { toolAnswer } from '../messages/tool-answer.ts';

type OnLoss = (what: string) => void;

/** A step of an agent, as steps of a turn. */
export interface ReadStep {
  /** Its call to a model, and its thoughts. */
  readonly before: readonly AgentStep[];
  /** The parts of its message. */
  readonly said: readonly Part[];
  /** Its calls and their results. */
  readonly after: readonly AgentStep[];
}

/** Agents that call each other deeper than this are not read, because the file may be hostile. */
const DEEPEST = 20;

/**
 * Returns a reader of agents' steps.
 *
 * @param trajectories The trajectories of other agents in the same file.
 */
export function openAgentSteps(trajectories: readonly Fields[], onLoss: OnLoss) {
  const known = new Map<string, Fields>();
  const add = (found: readonly Fields[], depth: number): void => {
    for (const one of found) {
      for (const id of [one.trajectory_id, one.session_id])
        if (typeof id === 'string' && !known.has(id)) known.set(id, one);
      if (depth < DEEPEST) add(objectsIn(one.subagent_trajectories), depth + 1);
    }
  };
  add(trajectories, 0);

  /** Reads a step. @param author The agent, or `null` for the one under test. */
  function read(step: Fields, author: string | null, within: readonly Fields[] = []): ReadStep {
    const by = author === null ? {} : { author };
    const calls = callsOf(step, onLoss);
    const before = modelStep(step, by, onLoss);
    const { reasoning_content: thought } = step;
    if (typeof thought === 'string' && thought !== '')
      before.push({ kind: 'text', text: thought, thought: true, ...by });
    const after: AgentStep[] = calls.map((call) => ({ ...call, ...by }));
    const results = objectsIn(objectIn(step.observation).results);
    const waiting = calls.map(({ call }) => call);
    for (const result of results) {
      const id = result.source_call_id;
      const at = typeof id === 'string' ? waiting.findIndex((call) => call.id === id) : 0;
      const [call] = at === -1 ? [] : waiting.splice(at, 1);
      if (call === undefined) {
        onLoss('observations that are not the result of a call, left out');
        continue;
      }
      after.push(...ofOthers(result, within));
      if (result.extra !== undefined && result.extra !== null) onLoss('the key "extra" of observations, left out');
      const response: FunctionResponse = {
        ...(call.id ? { id: call.id } : {}),
        name: call.name ?? '',
        response: toolAnswer(contentOf(result.content)),
      };
      after.push({ kind: 'response', response, ...by });
    }
    return { before, said: contentParts(step.message, onLoss), after };
  }

  /** Reads the steps of the agents that a call went to. */
  function ofOthers(result: Fields, within: readonly Fields[]): readonly AgentStep[] {
    return objectsIn(result.subagent_trajectory_ref).flatMap((ref): readonly AgentStep[] => {
      const ids = [ref.trajectory_id, ref.session_id].flatMap((id) => (typeof id === 'string' ? [id] : []));
      const found = ids.map((id) => known.get(id)).find((one) => one !== undefined);
      if (found === undefined) {
        onLoss('trajectories of other agents that are not in the file, left out');
        return [];
      }
      if (within.includes(found) || within.length >= DEEPEST) {
        onLoss('trajectories of agents that call themselves, left out');
        return [];
      }
      const { name } = objectIn(found.agent);
      const author = typeof name === 'string' && name !== '' ? name : 'subagent';
      return objectsIn(found.steps).flatMap((step) => {
        if (step.source !== 'agent') {
          onLoss('messages that other agents were sent, left out');
          return [];
        }
        const { before, said, after } = read(step, author, [...within, found]);
        return [...before, ...textSteps(said, onLoss).map((one) => ({ ...one, author })), ...after];
      });
    });
  }
  return read;
}

function callsOf(step: Fields, onLoss: OnLoss) {
  return objectsIn(step.tool_calls).flatMap((written) => {
    const { tool_call_id: id, function_name: name, arguments: args, extra } = written;
    if (extra !== undefined && extra !== null) onLoss('the key "extra" of calls, left out');
    const given = isObject(args) ? args : args === undefined || args === null ? undefined : { input: args };
    if (given !== undefined && given !== args) {
      onLoss('arguments of tool calls that are not a JSON object, kept as the text "input"');
    }
    const read = readCall({ id: id as string, name: name as string, args: given });
    if (!('problem' in read)) return [{ kind: 'call', ...read } as const];
    onLoss('tool calls without a name, left out');
    return [];
  });
}

/** The numbers of a step that are read. */
const COUNTS = ['prompt_tokens', 'completion_tokens', 'cached_tokens'];

function modelStep(
  { metrics: written, model_name: model, llm_call_count: count }: Fields,
  by: object,
  onLoss: OnLoss,
): AgentStep[] {
  const metrics = objectIn(written);
  const { prompt_tokens, completion_tokens, cached_tokens, cost_usd: cost } = metrics;
  if (typeof cost === 'number') onLoss('costs, left out');
  for (const key of Object.keys(metrics)) {
    if (!COUNTS.includes(key) && key !== 'cost_usd' && metrics[key] !== null) {
      onLoss(`the key "${key.slice(0, 60)}" of metrics, left out`);
    }
  }
  if (typeof count === 'number' && count > 1) onLoss('steps of several calls to models, counted as one call');
  // A step that no model decided on.
  if (count === 0) return [];
  const cached = typeof cached_tokens === 'number' ? { prompt_tokens_details: { cached_tokens } } : {};
  const usage = usageMetadata({ prompt_tokens, completion_tokens, ...cached });
  if (usage === undefined && typeof model !== 'string') return [];
  return [{ kind: 'model', usage, ...(typeof model === 'string' ? { model } : {}), ...by }];
}

/** Makes steps of a message that is not the answer. */
export function textSteps(parts: readonly Part[], onLoss: OnLoss): readonly AgentStep[] {
  return parts.flatMap(({ text }): AgentStep[] => {
    if (typeof text === 'string') return [{ kind: 'text', text }];
    onLoss('pictures in messages before the answer, left out');
    return [];
  });
}

/** Returns the content of an observation: a text, or the texts of its parts. */
function contentOf(content: unknown): unknown {
  return Array.isArray(content) ? textIn(content) : content;
}

/** Reads a message: a text, or parts with texts and pictures. Of a picture, a trajectory has only the path. */
export function contentParts(message: unknown, onLoss: OnLoss): readonly Part[] {
  if (typeof message === 'string') return message === '' ? [] : [{ text: message }];
  return objectsIn(message).flatMap((part): readonly Part[] => {
    const { type, text, source } = part;
    if (type === 'text' && typeof text === 'string') return text === '' ? [] : [{ text }];
    const { media_type: mimeType, path } = objectIn(source);
    if (type === 'image' && typeof path === 'string') {
      return [{ fileData: { fileUri: path, ...(typeof mimeType === 'string' ? { mimeType } : {}) } }];
    }
    onLoss(`parts of messages of the type "${String(type).slice(0, 60)}", left out`);
    return [];
  });
}
