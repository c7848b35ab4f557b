import { isObject } from '@agent-criteria/formats';
import { formatValuePath, type ValuePath } from '@agent-criteria/values';
import { isMessageList } from '../messages/read-messages.ts';
import type { ColumnName, ColumnPaths } from './columns.ts';
import { readLabel } from './read-label.ts';
import { valueAt } from './value-at.ts';

const QUESTION = ['user', 'question', 'prompt', 'input', 'query', 'message', 'request', 'user_message', 'user_input'];
const ANSWER = [
  'answer',
  'output',
  'response',
  'completion',
  'reply',
  'prediction',
  'actual',
  'actual_output',
  'assistant',
];
const REFERENCE = [
  ...['reference', 'expected', 'expected_output', 'expectedOutput', 'expected_answer', 'reference_answer'],
  ...['ground_truth', 'golden_answer', 'target', 'ideal', 'references'],
];
const TEXT = ['text', 'content', 'output_text', 'value'];

/** The keys under which logs keep each column, the most specific first. */
const NAMES: Readonly<Record<ColumnName, readonly string[]>> = {
  id: [
    ...['id', 'conversation_id', 'conversationId', 'session_id', 'sessionId', 'thread_id', 'threadId', 'case_id'],
    ...['eval_id', 'custom_id', 'example_id', 'trace_id', 'uuid'],
  ],
  messages: ['messages', 'conversation', 'chat', 'transcript', 'traj', 'history', 'input', 'prompt'],
  turns: ['turns', 'conversation', 'exchanges'],
  user: QUESTION,
  answer: ANSWER,
  calls: ['calls', 'tool_calls', 'toolCalls'],
  turn: ['turn', 'turn_index', 'turn_number'],
  reference: REFERENCE,
  expected_calls: ['expected_calls', 'expected_tool_calls', 'expected_tools', 'expected_tool_use'],
  instructions: ['instructions', 'system', 'system_prompt'],
  tools: ['tools', 'functions'],
  model: ['model', 'model_name'],
  usage: ['usage', 'token_usage'],
  label: ['label', 'correct', 'is_correct', 'passed', 'pass', 'verdict', 'reward', 'success', 'thumbs'],
  reason: ['reason', 'comment', 'explanation', 'rationale', 'feedback'],
  group: ['group', 'group_id'],
  tags: ['tags'],
  repeat: ['repeat'],
  error: ['error'],
};

/** Keys under which records keep what belongs to a column, as in `{ inputs: { question } }`. */
const WITHIN: Partial<Readonly<Record<ColumnName, readonly string[]>>> = {
  messages: ['request', 'body', 'inputs', 'input', 'item'],
  user: ['inputs', 'input', 'item', 'vars', 'request'],
  answer: ['outputs', 'output', 'sample', 'response'],
  reference: ['expected', 'reference', 'item'],
  tools: ['request', 'body'],
  model: ['response', 'request', 'body'],
  usage: ['response'],
};

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isName = (value: unknown): boolean => isText(value) || typeof value === 'number';
const isList = (value: unknown): boolean =>
  (Array.isArray(value) && value.length > 0 && value.every(isObject)) ||
  (isText(value) && /^\s*\[/.test(String(value)));

/** Whether a value fits a column. */
const FITS: Readonly<Record<ColumnName, (value: unknown) => boolean>> = {
  id: isName,
  messages: isMessageList,
  turns: (value) => Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && isText(one.user)),
  user: isName,
  answer: (value) => isName(value) || isMessageList(value) || (isObject(value) && hasAnswer(value)),
  calls: isList,
  turn: (value) => isText(value) || typeof value === 'number',
  reference: (value) => isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
  expected_calls: isList,
  instructions: isText,
  tools: isList,
  model: isText,
  usage: isObject,
  label: (value) => typeof readLabel(value) === 'string',
  reason: isText,
  group: isName,
  tags: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  repeat: (value) => isText(value) || typeof value === 'number',
  error: (value) => isText(value) || (isObject(value) && isText(value.message)),
};

function hasAnswer(value: Readonly<Record<string, unknown>>): boolean {
  return (
    Array.isArray(value.choices) || isObject(value.message) || typeof value.role === 'string' || isObject(value.body)
  );
}

/**
 * Guesses the columns of records by their names and values: the first name, for each column, under which a record has a
 * fitting value.
 *
 * @param sample The first records.
 */
export function guessColumns(sample: readonly unknown[]): ColumnPaths {
  if (sample.some(isMessageList)) return { messages: [] };
  const found = new Map<ColumnName, ValuePath>();
  const taken = new Set<string>();
  for (const name of Object.keys(NAMES) as ColumnName[]) {
    // A list of messages or turns says who said what.
    if (found.has('messages') && ['turns', 'user', 'calls', 'turn'].includes(name)) continue;
    if (found.has('turns') && ['user', 'answer', 'calls', 'turn'].includes(name)) continue;
    const path = candidates(name).find(
      (one) => !taken.has(formatValuePath(one)) && sample.some((record) => FITS[name](valueAt(record, one))),
    );
    if (path === undefined) continue;
    found.set(name, path);
    taken.add(formatValuePath(path));
  }
  return Object.fromEntries(found);
}

function candidates(name: ColumnName): readonly ValuePath[] {
  const top = NAMES[name].map((key): ValuePath => [key]);
  const own = ['user', 'answer', 'reference'].includes(name) ? [...NAMES[name], ...TEXT] : NAMES[name];
  const within = (WITHIN[name] ?? []).flatMap((outer) => own.map((key): ValuePath => [outer, key]));
  return [...top, ...within];
}
