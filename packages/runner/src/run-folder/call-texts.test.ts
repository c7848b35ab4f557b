import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@agent-criteria/calls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LONGEST_TEXT, openBlobs } from './blobs.ts';
import { readTexts, textWriter } from './call-texts.ts';
import { layout } from './layout.ts';
import { openLines } from './line-writer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'texts-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const file = () => layout.texts(folder);

/** Stores requests or answers as a single start of a run does. Returns their hashes. */
function keep(...texts: string[]): string[] {
  const lines = openLines(file());
  texts.forEach(textWriter(openBlobs(folder), () => lines));
  lines.close();
  return texts.map(sha256);
}

const reader = () => readTexts(folder, openBlobs(folder));

describe('the requests and answers of calls', () => {
  it('can be read by hash', () => {
    const texts = ['"yes"', '{"a":"\\n\\u2028 \u2028 é 😀"}', 'null'];
    const hashes = keep(...texts);
    const read = reader();
    expect(hashes.map(read)).toEqual(texts);
    expect(readdirSync(folder)).toEqual(['texts.jsonl']);
  });

  it('are written once per start of a run', () => {
    keep('a', 'b', 'a');
    keep('a');
    expect(readFileSync(file(), 'utf8').trimEnd().split('\n')).toHaveLength(3);
    expect(reader()(sha256('a'))).toBe('a');
  });

  it('are stored as blobs if they are long', () => {
    const long = 'x'.repeat(LONGEST_TEXT + 1);
    const [hash = ''] = keep(long);
    expect(readFileSync(file(), 'utf8')).toBe('');
    expect(readdirSync(join(folder, 'blobs'))).toEqual([hash]);
    expect(reader()(hash)).toBe(long);
  });

  it('can be read from older runs, which only have blobs', () => {
    const hash = openBlobs(folder).put('of before');
    expect(reader()(hash)).toBe('of before');
  });

  it('can be read and written after an incomplete line', () => {
    const [hash = ''] = keep('a');
    appendFileSync(file(), '{"hash":"');
    expect(reader()(hash)).toBe('a');
    const [next = ''] = keep('b');
    expect([hash, next].map(reader())).toEqual(['a', 'b']);
  });

  it('are reported as missing if they have been changed', () => {
    const [hash = ''] = keep('a');
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('"text":"a"', '"text":"b"'));
    expect(() => reader()(hash)).toThrow('a part of this run is missing');
    expect(() => reader()('0'.repeat(64))).toThrow('a part of this run is missing');
  });
});
