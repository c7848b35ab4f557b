import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { each, formatValuePath, parseValuePath, type ValuePath } from '@agent-criteria/values';

/** The columns that a record can have, with their meaning. */
export const COLUMNS = {
  id: 'the id of the conversation, which becomes that of its case',
  messages: 'the list of messages',
  turns: 'the list of turns, each with "user", "calls", "responses" and "answer"',
  user: 'the message of the user',
  answer: 'the answer of the agent',
  calls: 'the tool calls that the agent made',
  turn: 'the number of the turn, where each turn is a row',
  reference: 'the expected answer',
  expected_calls: 'the expected tool calls',
  instructions: 'the instructions of the agent',
  tools: 'the declarations of its tools',
  model: 'the name of the model',
  usage: 'the token counts of the last call to the model',
  label: "a person's verdict, as pass or fail",
  reason: 'the reason for the label',
  group: 'a name shared by conversations that pass and fail together',
  tags: 'names by which cases are selected',
  repeat: 'the number of the repeat, where a case has several conversations',
  error: 'why the conversation broke',
} as const;

export type ColumnName = keyof typeof COLUMNS;

/** The path of each column in a record. */
export type ColumnPaths = { readonly [Name in ColumnName]?: ValuePath };

/**
 * Parses columns as a user writes them: `answer=$.output.text`. An empty path removes a column that was guessed.
 * @throws CriteriaError USAGE with every mistake.
 */
export function parseColumns(written: readonly string[]): ReadonlyMap<ColumnName, ValuePath | null> {
  const columns = new Map<ColumnName, ValuePath | null>();
  const mistakes: string[] = [];
  for (const text of written) {
    const at = text.indexOf('=');
    const name = (at === -1 ? text : text.slice(0, at)).trim();
    if (!isColumn(name)) {
      mistakes.push(
        `there is no column "${name}"${didYouMean(name, Object.keys(COLUMNS)) || `; the columns are ${Object.keys(COLUMNS).join(', ')}`}`,
      );
      continue;
    }
    if (at === -1) {
      mistakes.push(`the column "${name}" needs a path, as ${name}=$.path`);
      continue;
    }
    const path = text.slice(at + 1).trim();
    const parsed = path === '' ? { path: null } : parseValuePath(path);
    if ('problem' in parsed) mistakes.push(`the path "${path}" of the column "${name}" is wrong: ${parsed.problem}`);
    else columns.set(name, parsed.path);
  }
  if (mistakes.length > 0) {
    throw new CriteriaError(mistakes.map((message) => ({ code: 'USAGE' as const, message })));
  }
  return columns;
}

function isColumn(name: string): name is ColumnName {
  return Object.hasOwn(COLUMNS, name);
}

/** Writes the path of a column as a user would: `$.output.text`. */
export function columnText(path: ValuePath): string {
  const text = formatValuePath(path);
  if (text === '$' || text.startsWith('[')) return text === '$' ? text : `$${text}`;
  return `$.${text}`;
}

/** Whether a path has `[*]`, so that a record holds several conversations. */
export function isEach(path: ValuePath | undefined): boolean {
  return path?.includes(each) === true;
}
