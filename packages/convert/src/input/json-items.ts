import { CriteriaError } from '@agent-criteria/core';
import { jsonRecord } from './json-lines.ts';
import { LONGEST_RECORD, type ReadRecord, tooLong } from './source-record.ts';

// A parser from a library would be slower than `JSON.parse` by a factor of ten, and sets `__proto__` by assignment. So
// this one only finds where each item ends, and leaves the rest to `JSON.parse`.

const [QUOTE, BACKSLASH, COMMA, NEWLINE] = [0x22, 0x5c, 0x2c, 0x0a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reads the items of a JSON list one by one, without holding the list in memory. Stops at an item that cannot be read,
 * because the places of later items are then uncertain.
 *
 * @throws CriteriaError NOT_JSON where the list itself is damaged.
 */
export async function* jsonItems(pieces: AsyncIterable<string>, file: string): AsyncGenerator<ReadRecord> {
  const list = openList(file);
  for await (const piece of pieces) {
    for (const record of list.read(piece)) {
      yield record;
      if ('problems' in record) return;
    }
  }
  list.end();
}

type Place = 'before' | 'item' | 'separator' | 'after';

function openList(file: string) {
  let place: Place = 'before';
  let line = 1;
  /** The text of the item under way, in pieces, with its first line. */
  let item: string[] = [];
  let length = 0;
  let begun = 1;
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let isAfterComma = false;

  const wrong = (message: string): CriteriaError =>
    new CriteriaError({ code: 'NOT_JSON', file, path: `line ${line}`, message: `this is not JSON: ${message}` });
  const finish = (last: string): ReadRecord => {
    const text = item.join('') + last;
    item = [];
    length = 0;
    return jsonRecord(text, file, begun);
  };

  function* read(piece: string): Generator<ReadRecord> {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charCodeAt(at);
      if (character === NEWLINE) line += 1;
      if (place === 'item') {
        if (inText) {
          if (isEscaped) isEscaped = false;
          else if (character === BACKSLASH) isEscaped = true;
          else if (character === QUOTE) inText = false;
        } else if (character === QUOTE) inText = true;
        else if (character === OPEN_LIST || character === OPEN_OBJECT) depth += 1;
        else if (depth > 0 && (character === CLOSE_LIST || character === CLOSE_OBJECT)) depth -= 1;
        else if (depth === 0 && (character === COMMA || character === CLOSE_LIST)) {
          yield finish(piece.slice(from, at));
          isAfterComma = character === COMMA;
          place = isAfterComma ? 'separator' : 'after';
        }
        continue;
      }
      if (character <= 0x20) continue;
      if (place === 'before') {
        if (character !== OPEN_LIST) throw wrong('a list is expected here');
        place = 'separator';
      } else if (place === 'after') throw wrong('the file continues after the list ends');
      else if (character === CLOSE_LIST && !isAfterComma) place = 'after';
      else if (character === CLOSE_LIST || character === COMMA) throw wrong('an item is missing before this');
      else {
        place = 'item';
        begun = line;
        from = at;
        at -= 1;
      }
    }
    if (place !== 'item') return;
    item.push(piece.slice(from));
    length += piece.length - from;
    if (length > LONGEST_RECORD) throw tooLong(file, begun, 'write one conversation per line, as JSON Lines');
  }

  return {
    read,
    end(): void {
      if (place === 'item') throw wrong(`the file ends within the item that begins at line ${begun}`);
      if (place !== 'after') throw wrong('the list has no end; was the file cut off?');
    },
  };
}
