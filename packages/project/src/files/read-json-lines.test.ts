import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../test/binary-text.ts';
import { folderOf, writeFiles } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import { readJsonLines } from './read-json-file.ts';

function fileOf(content: string | Uint8Array): string {
  return join(folderOf({ 'a.jsonl': content }), 'a.jsonl');
}

describe('readJsonLines', () => {
  it('reads one value per line with its number, and skips blank lines', async () => {
    const file = fileOf('\ufeff{"a": 1}\r\n\r\n  \n[2]\n"three"');
    expect(await readJsonLines(file)).toEqual({
      lines: [
        { line: 1, value: { a: 1 } },
        { line: 4, value: [2] },
        { line: 5, value: 'three' },
      ],
      warnings: [],
    });
  });

  it('reads any JSON, with any kind of line break and across chunk boundaries', async () => {
    const folder = folderOf({});
    const file = join(folder, 'a.jsonl');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 2, stringUnit: codePoint }), { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.boolean(),
        async (values, end, ended) => {
          writeFiles(folder, {
            'a.jsonl': values.map((value) => JSON.stringify(value)).join(end) + (ended ? end : ''),
          });
          const { lines } = await readJsonLines(file);
          expect(lines.map(({ value }) => value)).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))));
        },
      ),
      { numRuns: runs(60) },
    );
    const long = 'ä'.repeat(100_000);
    writeFiles(folder, { 'a.jsonl': `"${long}"\n"${long}x"\n` });
    expect((await readJsonLines(file)).lines.map(({ value }) => value)).toEqual([long, `${long}x`]);
  });

  it('throws only CriteriaError, whatever bytes a file contains', async () => {
    const folder = folderOf({});
    const file = join(folder, 'a.jsonl');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        writeFiles(folder, { 'a.jsonl': bytes });
        await readJsonLines(file).catch((error: unknown) => {
          expect(error).toMatchObject({ problems: expect.arrayContaining([expect.objectContaining({ file })]) });
        });
      }),
      { numRuns: runs(100) },
    );
  });

  it('reports each broken line with its column', async () => {
    const file = fileOf('{"a": 1}\n{"a": 1\n{"a": True}\n{"a": 1, "a": 2}\n');
    await expect(readJsonLines(file)).rejects.toMatchObject({
      problems: [
        { code: 'NOT_JSON', file, path: 'line 2', message: expect.stringMatching(/column 8: the line ends too early/) },
        { code: 'NOT_JSON', file, path: 'line 3', message: expect.stringMatching(/column 7: True is Python/) },
        { code: 'KEY_SPELT_TWICE', file, path: 'line 4 $.a' },
      ],
    });
  });

  it('warns of comments once per file, and of every inexact integer', async () => {
    const { lines, warnings } = await readJsonLines(
      fileOf('[1,]\n[2,]\n[12345678901234567890]\n[12345678901234567891]'),
    );
    expect(lines).toHaveLength(4);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([
      ['NOT_JSON', 'line 1'],
      ['UNSAFE_INTEGER', 'line 3 $[0]'],
      ['UNSAFE_INTEGER', 'line 4 $[0]'],
    ]);
  });

  it('recognises a single JSON value that spans several lines', async () => {
    const file = fileOf(JSON.stringify({ eval_set_id: 's', eval_cases: [] }, null, 2));
    await expect(readJsonLines(file)).rejects.toMatchObject({
      problems: [{ path: 'line 1', message: expect.stringContaining('rename the file to .json') }],
    });
  });

  it('limits the size of lines, not of the file', async () => {
    const file = fileOf(`${'"1234567"\n'.repeat(100)}"123456789"\n`);
    expect((await readJsonLines(file, 11)).lines).toHaveLength(101);
    await expect(readJsonLines(file, 10)).rejects.toMatchObject({
      problems: [{ code: 'FILE_TOO_LARGE', file, path: 'line 101' }],
    });
    for (const end of ['', '\n']) {
      const long = fileOf(`1\n${'x'.repeat(200_000)}${end}`);
      await expect(readJsonLines(long, 150_000)).rejects.toMatchObject({
        problems: [{ code: 'FILE_TOO_LARGE', file: long, path: 'line 2' }],
      });
    }
    const short = fileOf('x'.repeat(1000));
    await expect(readJsonLines(short, 10)).rejects.toMatchObject({ problems: [{ code: 'FILE_TOO_LARGE' }] });
  });

  it('rejects invalid UTF-8, a folder and a missing file', async () => {
    await expect(readJsonLines(fileOf(Buffer.from('"a"\n"\xff"', 'latin1')))).rejects.toMatchObject({
      problems: [{ code: 'NOT_JSON', path: 'line 2', message: expect.stringContaining('not UTF-8') }],
    });
    await expect(readJsonLines(fileOf(Buffer.from('\ufeff"a"\n', 'utf16le')))).rejects.toMatchObject({
      problems: [{ message: expect.stringContaining('UTF-16') }],
    });
    await expect(readJsonLines(folderOf({}))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(readJsonLines(join(folderOf({}), 'none'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('stops at fifty broken lines', async () => {
    const error = await readJsonLines(fileOf('x\n'.repeat(10_000))).catch((thrown: unknown) => thrown);
    expect((error as { problems: unknown[] }).problems).toHaveLength(50);
  });
});
