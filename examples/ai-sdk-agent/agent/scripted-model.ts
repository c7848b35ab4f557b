import { simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

type Generate = MockLanguageModelV3['doGenerate'];
type Prompt = Parameters<Generate>[0]['prompt'];
type Result = Awaited<ReturnType<Generate>>;
type Part = Result['content'][number];
type Field =
  | 'label'
  | 'books'
  | 'title'
  | 'status'
  | 'arrives'
  | 'deliveredDaysAgo'
  | 'euro'
  | 'inStock'
  | 'error_message';
type Fields = { readonly [field in Field]?: unknown };

/**
 * Plays the language model, so that this example needs no key: the AI SDK's own mock, which reads the same
 * prompts and answers in the same form, by rules that fit this bookshop and nothing else.
 */
export const scriptedModel = wrapLanguageModel({
  model: new MockLanguageModelV3({
    provider: 'scripted',
    modelId: 'scripted-model',
    doGenerate: async ({ prompt }) => resultOf(prompt),
  }),
  middleware: simulateStreamingMiddleware(),
});

function resultOf(prompt: Prompt): Result {
  const part = answerTo(prompt);
  const unified = part.type === 'tool-call' ? 'tool-calls' : 'stop';
  const [input, output] = [tokensOf(prompt), tokensOf(part)];
  return {
    content: [part],
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
    warnings: [],
  };
}

/** Counts four characters as a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

function answerTo(prompt: Prompt): Part {
  const [result] = resultsIn(prompt.slice(-1));
  const said = customerIn(prompt);
  if (result !== undefined) return { type: 'text', text: textFor(result, said.at(-1) ?? '') };
  const call = callFor(said.at(-1) ?? '', said);
  if (call === null) return { type: 'text', text: 'Which order or which book is it about?' };
  const toolCallId = `call-${prompt.length}`;
  return { type: 'tool-call', toolCallId, toolName: call.name, input: JSON.stringify(call.input) };
}

/** Returns the texts of the customer, in order. */
function customerIn(prompt: Prompt): string[] {
  return prompt.flatMap((message) =>
    message.role === 'user' ? message.content.flatMap((part) => (part.type === 'text' ? part.text : [])) : [],
  );
}

interface ToolResult {
  readonly name: string;
  readonly fields: Fields;
  readonly error: string | undefined;
}

function resultsIn(prompt: Prompt): ToolResult[] {
  const parts = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return parts.flatMap((part) => {
    if (part.type !== 'tool-result') return [];
    const { toolName: name, output } = part;
    if (output.type === 'error-text') return [{ name, fields: {}, error: output.value }];
    const fields: Fields = output.type === 'json' ? Object(output.value) : {};
    // A stub that fails answers like this.
    const { error_message: failed } = fields;
    return [{ name, fields, error: typeof failed === 'string' ? failed : undefined }];
  });
}

function callFor(message: string, said: readonly string[]): { readonly name: string; readonly input: object } | null {
  const reason = /because (.+?)\.?$/.exec(message)?.[1];
  const number = said
    .join('\n')
    .match(/\b\d{4}\b/g)
    ?.at(-1);
  if (reason !== undefined && number !== undefined) return { name: 'return_order', input: { number, reason } };
  const title = /[“"](.+?)[”"]/.exec(message)?.[1];
  if (title !== undefined) return { name: 'search_books', input: { title } };
  return number === undefined ? null : { name: 'find_order', input: { number } };
}

function textFor({ name, fields, error }: ToolResult, message: string): string {
  if (error?.includes('no order') === true) return 'I cannot find that order. Please check the number.';
  if (error !== undefined) return `I cannot look that up just now: ${error}. Please try again later.`;
  if (name === 'return_order') return `Done. Your return label is ${fields.label}.`;
  if (name === 'search_books') return textForBooks(fields.books);
  const { title, status, arrives, deliveredDaysAgo } = fields;
  if (!/return|send .* back/i.test(message)) {
    return status === 'sent'
      ? `“${title}” is on its way and arrives on ${arrives}.`
      : `“${title}” was delivered ${deliveredDaysAgo} days ago.`;
  }
  return Number(deliveredDaysAgo) > 30
    ? `“${title}” was delivered ${deliveredDaysAgo} days ago, and books can be returned within 30 days.`
    : `You can return “${title}”. What is the reason?`;
}

function textForBooks(books: unknown): string {
  const [book]: Fields[] = Array.isArray(books) ? books : [];
  if (book === undefined) return 'We do not have that book.';
  return Number(book.inStock) > 0
    ? `“${book.title}” costs ${book.euro} euro, and there are ${book.inStock} in stock.`
    : `“${book.title}” costs ${book.euro} euro, but it is sold out.`;
}
