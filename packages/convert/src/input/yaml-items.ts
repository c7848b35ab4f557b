import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Node } from 'yaml';
import { LONGEST_RECORD, type ReadRecord, tooLong } from './source-record.ts';

/**
 * Reads YAML: the items of its list, or every document that is not a list. The file is read as a whole, because YAML
 * allows references between its parts.
 */
export async function* yamlItems(pieces: AsyncIterable<string>, file: string): AsyncGenerator<ReadRecord> {
  const text = await wholeText(pieces, file);
  const { isSeq, LineCounter, parseAllDocuments } = await import('yaml');
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter });
  if (!Array.isArray(documents)) return;
  for (const document of documents) {
    const problems = document.errors.map(({ message, linePos }): Problem => {
      const why = message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
      return {
        code: 'INVALID_DATA',
        file,
        path: `line ${linePos?.[0].line ?? 1}`,
        message: `this is not YAML: ${why}`,
      };
    });
    if (problems.length > 0) throw new CriteriaError(problems);
    const root = document.contents;
    const items = (isSeq(root) ? root.items : root === null ? [] : [root]) as readonly Node[];
    for (const item of items) {
      const line = lineCounter.linePos(item.range?.[0] ?? 0).line;
      try {
        yield { value: item.toJS(document), line };
      } catch (error) {
        // Aliases that multiply.
        const message = `this cannot be read: ${(error as Error).message}`;
        yield { problems: [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], line };
      }
    }
  }
}

/** Reads a text that has to be known as a whole. */
export async function wholeText(pieces: AsyncIterable<string>, file: string): Promise<string> {
  const all: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    all.push(piece);
    length += piece.length;
    if (length > LONGEST_RECORD) throw tooLong(file, 1, 'write one conversation per line, as JSON Lines');
  }
  return all.join('');
}
