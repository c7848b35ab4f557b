import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { bytesOf, type FileData, fileProblem, MOST_FILE_BYTES, MOST_FILES } from './message-files.ts';

const picture: FileData = { mimeType: 'image/png', data: 'AA==', displayName: 'cat.png' };

function problemOf(...files: readonly FileData[]): string | undefined {
  return fileProblem({ parts: [{ text: 'Look' }, ...files.map((inlineData) => ({ inlineData }))] })?.message;
}

describe('the files of a message', () => {
  it.each<[string, FileData]>([
    ['a picture', picture],
    ['a file without a name', { mimeType: 'application/pdf', data: 'AAA=' }],
    ['a document that a browser would run, which is never shown as one', { ...picture, mimeType: 'image/svg+xml' }],
    ['a page, which is never shown as one', { ...picture, mimeType: 'text/html', displayName: 'a.html' }],
    ['bytes in the other alphabet of base64', { ...picture, data: '-_-_' }],
  ])('can be %s', (_what, file) => {
    expect(problemOf(file)).toBeUndefined();
  });

  it.each<[string, FileData, string]>([
    ['have no type', { ...picture, mimeType: null }, 'type'],
    ['have a type that is none', { ...picture, mimeType: 'image/png"><script>' }, 'type'],
    ['have a type with parameters', { ...picture, mimeType: 'image/png;base64,AAAA' }, 'type'],
    ['have no bytes', { ...picture, data: '' }, 'base64'],
    ['have bytes that are not in base64', { ...picture, data: 'data:image/png;base64,AA==' }, 'base64'],
    ['have a name with folders', { ...picture, displayName: '../a.png' }, 'name'],
    ['have a name that reads backwards', { ...picture, displayName: 'a\u202Egnp.exe' }, 'name'],
    ['have a name of many characters', { ...picture, displayName: 'a'.repeat(300) }, 'name'],
  ])('are refused if they %s', (_what, file, word) => {
    expect(problemOf(picture, file)).toContain(word);
    expect(fileProblem({ parts: [{ inlineData: picture }, { inlineData: file }] })).toMatchObject({
      isLimit: false,
      part: 1,
    });
  });

  it('are refused if they are too many or too large together, with the limit', () => {
    const many = Array<FileData>(MOST_FILES).fill(picture);
    expect(problemOf(...many)).toBeUndefined();
    expect(problemOf(...many, picture)).toBe('A message has at most 10 files, and these are 11.');
    const half = {
      ...picture,
      data: 'A'.repeat((MOST_FILE_BYTES / 2 / 3) * 4 - (((MOST_FILE_BYTES / 2 / 3) * 4) % 4)),
    };
    expect(problemOf(half, half)).toBeUndefined();
    expect(problemOf(half, half, half)).toBe(
      'The files of a message have at most 10 MB together, and these have 15 MB.',
    );
  });

  it('have the size that their base64 encodes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.constantFrom('base64', 'base64url'), (bytes, alphabet) => {
        const data = Buffer.from(bytes).toString(alphabet as BufferEncoding);
        expect(bytesOf(data)).toBe(bytes.length);
        expect(problemOf({ ...picture, data }) === undefined).toBe(bytes.length > 0);
      }),
      { numRuns: runs(1000) },
    );
  });
});
