import { isObject } from '@agent-criteria/formats';
import type { Fields } from '../fields.ts';
import { jsonIn } from '../json-in.ts';
import { isMessageList } from '../messages/read-messages.ts';
import { fillTemplate } from '../templates/fill-template.ts';
import { varAt } from './var-at.ts';

export type RenderedPrompt =
  | { readonly messages: readonly unknown[]; readonly missing: readonly string[] }
  | { readonly problem: string };

/**
 * Fills the variables of a prompt, and reads it: a list of messages as JSON or YAML, or a text, which is the message of the user.
 */
export async function renderPrompt(text: string, vars: Fields): Promise<RenderedPrompt> {
  // Filled in after it was parsed, a variable cannot break the JSON.
  const template = jsonIn(text) ?? (await yamlMessages(text));
  if (isMessageList(template)) {
    const missing: string[] = [];
    const problems: string[] = [];
    const messages = filledTexts(template, vars, missing, problems);
    return problems[0] === undefined ? { messages: messages as readonly unknown[], missing } : { problem: problems[0] };
  }
  const filled = fillTemplate(text, { lookUp: (path) => varAt(vars, path), hasLogic: true });
  if ('problem' in filled) return filled;
  return { messages: messagesIn(filled.text), missing: filled.missing };
}

/** Returns the messages that a text holds as JSON, or the text as the message of the user. */
export function messagesIn(text: string): readonly unknown[] {
  const read = jsonIn(text);
  if (isMessageList(read)) return read;
  if (isObject(read) && isMessageList(read.messages)) return read.messages;
  return [{ role: 'user', content: text }];
}

/** Fills the texts in a value, and leaves its keys. Messages are never deep. */
function filledTexts(value: unknown, vars: Fields, missing: string[], problems: string[], depth = 0): unknown {
  if (typeof value === 'string') {
    const filled = fillTemplate(value, { lookUp: (path) => varAt(vars, path), hasLogic: true });
    if ('problem' in filled) {
      problems.push(filled.problem);
      return '';
    }
    missing.push(...filled.missing);
    return filled.text;
  }
  if (depth > 20) return value;
  const inner = (one: unknown): unknown => filledTexts(one, vars, missing, problems, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)])) : value;
}

/** Reads messages as YAML, which promptfoo recognises by the role at their start. */
async function yamlMessages(text: string): Promise<unknown> {
  if (!/^\s*- ['"]?role['"]?:/.test(text)) return undefined;
  const { parse } = await import('yaml');
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
