import { isObject } from '@agent-criteria/formats';
import { formatValuePath, type ValuePath } from '@agent-criteria/values';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { isMessageList, messagesOfAnswer } from '../messages/read-messages.ts';
import { guessColumns } from '../rows/guess-columns.ts';
import { valueAt } from '../rows/value-at.ts';
import { fillTemplate, textOf } from '../templates/fill-template.ts';
import type { RunTemplate } from './evals-state.ts';

export type ItemMessages =
  | { readonly messages: readonly unknown[]; readonly missing: readonly string[] }
  | { readonly problem: string };

/**
 * Returns the messages that an item asks: those of the template of its run, or else the field of the item that looks like them.
 *
 * @param user The path of the question, where the user has named it.
 */
export function askedMessages(
  item: Fields,
  template: RunTemplate | null,
  user: ValuePath | null | undefined,
): ItemMessages {
  const written = template?.messages ?? null;
  if (user !== null && user !== undefined) return atPath(item, user);
  if (typeof written === 'string') return atPath(item, written.split('.'));
  if (written !== null) return filled(written, item);
  const { messages, user: question } = guessColumns([item]);
  const path = messages ?? question;
  if (path !== undefined) return atPath(item, ['item', ...path]);
  const texts = Object.entries(item).filter(([, value]) => typeof value === 'string');
  if (texts.length === 1) return atPath(item, ['item', texts[0]?.[0] ?? '']);
  const problem =
    'nothing says which field of the item is the question: name its run, which has "input_messages", before it, or the field with --column user=$.item.FIELD';
  return { problem };
}

function atPath(item: Fields, path: ValuePath): ItemMessages {
  const found = valueAt({ item }, path);
  if (isMessageList(found)) return { messages: found, missing: [] };
  if (found === undefined || found === null || found === '') {
    return { problem: `the item has nothing at ${formatValuePath(path)}, where its question should be` };
  }
  return { messages: [{ role: 'user', content: textOf(found) }], missing: [] };
}

function filled(template: readonly Fields[], item: Fields): ItemMessages {
  const missing: string[] = [];
  let problem: string | null = null;
  const fill = (text: string): string => {
    const result = fillTemplate(text, { lookUp: (path) => valueAt({ item }, path) });
    if ('problem' in result) problem ??= result.problem;
    else missing.push(...result.missing);
    return 'text' in result ? result.text : '';
  };
  const messages = template.map(({ role, content }) => ({ role, content: filledContent(content, fill) }));
  return problem === null ? { messages, missing } : { problem };
}

/** Fills the texts of a message: a text, a part, or a list of both. */
function filledContent(content: unknown, fill: (text: string) => string): unknown {
  if (typeof content === 'string') return fill(content);
  if (Array.isArray(content)) return content.map((part) => filledContent(part, fill));
  if (!isObject(content)) return content;
  return typeof content.text === 'string' ? { ...content, text: fill(content.text) } : content;
}

/** Returns the messages of a sample: what the model answered, in any of the forms that the API has had. */
export function answerMessages(sample: Fields): readonly unknown[] {
  const { output, choices, output_text: text, output_tools: tools } = sample;
  if (Array.isArray(output))
    return output.map((one) => (isObject(one) && one.role === undefined ? { role: 'assistant', ...one } : one));
  if (Array.isArray(choices)) return messagesOfAnswer({ choices });
  if (Array.isArray(tools) && tools.length > 0) {
    return [{ role: 'assistant', content: typeof text === 'string' ? text : '', tool_calls: objectsIn(tools) }];
  }
  return typeof text === 'string' && text !== '' ? [{ role: 'assistant', content: text }] : [];
}

/** Returns the token counts of a sample in the form of OpenAI's completions. */
export function usageOf(sample: Fields): { readonly counts: unknown; readonly model: string | undefined } | undefined {
  const { prompt_tokens, completion_tokens, cached_tokens } = objectIn(sample.usage);
  const model = typeof sample.model === 'string' && sample.model !== '' ? sample.model : undefined;
  const cached = typeof cached_tokens === 'number' ? { prompt_tokens_details: { cached_tokens } } : {};
  const counts = typeof prompt_tokens === 'number' ? { prompt_tokens, completion_tokens, ...cached } : undefined;
  return counts === undefined && model === undefined ? undefined : { counts, model };
}
