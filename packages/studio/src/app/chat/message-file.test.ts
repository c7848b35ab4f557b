import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import { plainFileName } from '../../sessions/file-name.ts';
import { isMessageFile, type MessageFile, messageFiles, messageOf } from './message-file.ts';

const cat: MessageFile = { displayName: 'cat.png', mimeType: 'image/png', data: 'AA==' };

describe('a message with files', () => {
  it('has its text first, and no text if there is none', () => {
    expect(messageOf('Look', [cat])).toEqual({ role: 'user', parts: [{ text: 'Look' }, { inlineData: cat }] });
    expect(messageOf(' \n', [cat]).parts).toEqual([{ inlineData: cat }]);
    expect(messageOf('Look', [])).toEqual({ role: 'user', parts: [{ text: 'Look' }] });
  });

  it('returns the same bytes, names and types when it is written again or stored', () => {
    const file = fc.record({
      displayName: fc.string().map(plainFileName),
      mimeType: fc.constantFrom('image/png', 'image/svg+xml', 'text/html', 'application/octet-stream'),
      data: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    });
    fc.assert(
      fc.property(fc.string(), fc.array(file, { maxLength: 3 }), (text, files) => {
        expect(messageFiles(messageOf(text, files))).toEqual(files);
        expect(JSON.parse(JSON.stringify(files)).every(isMessageFile)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('a stored value', () => {
  it.each([
    ['null', null],
    ['a text', 'cat.png'],
    ['a file without bytes', { ...cat, data: '' }],
    ['a file whose bytes are no base64', { ...cat, data: '"><script>' }],
    ['a file whose type is none', { ...cat, mimeType: 'image/png"' }],
    ['a file whose name leads elsewhere', { ...cat, displayName: '../cat.png' }],
    ['a file whose name is no text', { ...cat, displayName: 5 }],
  ])('is not taken for a file if it is %s', (_what, value) => {
    expect(isMessageFile(value)).toBe(false);
  });
});
