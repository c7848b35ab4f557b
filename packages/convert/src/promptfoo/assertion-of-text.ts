import type { Fields } from '../fields.ts';

const LISTS = ['contains-all', 'contains-any', 'icontains-all', 'icontains-any'];
const WITH_THRESHOLD = [
  ...[
    'answer-relevance',
    'classifier',
    'context-faithfulness',
    'context-recall',
    'context-relevance',
    'cost',
    'latency',
  ],
  ...['levenshtein', 'perplexity-score', 'perplexity', 'rouge-n', 'similar', 'starts-with'],
];
const OTHERS = [
  ...['bleu', 'contains', 'contains-html', 'contains-json', 'contains-sql', 'contains-xml', 'equals', 'factuality'],
  ...['finish-reason', 'g-eval', 'gleu', 'guardrails', 'icontains', 'is-html', 'is-json', 'is-refusal', 'is-sql'],
  ...['is-valid-function-call', 'is-valid-openai-function-call', 'is-valid-openai-tools-call', 'is-xml', 'llm-rubric'],
  ...['meteor', 'model-graded-closedqa', 'model-graded-factuality', 'moderation', 'pi', 'regex', 'ruby'],
  ...['search-rubric', 'skill-used', 'trajectory:tool-used', 'webhook', 'word-count'],
];
const KNOWN: ReadonlySet<string> = new Set([...LISTS, ...WITH_THRESHOLD, ...OTHERS]);

/** Reads an assertion as a cell of a table has it, such as `contains-any: a, b`, `similar(0.8): x`, or a text that is equal. */
export function assertionOfText(written: string): Fields {
  const code = /^(?:javascript|fn|eval|python):|^file:\/\/.*\.(?:[cm]?[jt]s|py)(?::[\w.]+)?$/.exec(written);
  if (code !== null) return { type: /py/.test(code[0].slice(-12)) ? 'python' : 'javascript', value: written };
  if (written.startsWith('grade:')) return { type: 'llm-rubric', value: written.slice('grade:'.length).trim() };
  const parts = /^(not-)?([a-z:-]*[a-z])(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(written.trim());
  const [, not = '', type = '', number, value = ''] = parts ?? [];
  if (!KNOWN.has(type)) return { type: 'equals', value: written };
  const threshold = number === undefined ? undefined : Number(number);
  const own = { type: `${not}${type}`, ...(threshold === undefined ? {} : { threshold }) };
  if (LISTS.includes(type)) return { ...own, value: value.split(',').map((one) => one.trim()) };
  return value === '' && parts?.[4] === undefined ? own : { ...own, value: value.trim() };
}
