import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { plainFileName } from './file-name.ts';

describe('plainFileName()', () => {
  it.each([
    ['keeps an ordinary name', 'Bericht für März (2).pdf', 'Bericht für März (2).pdf'],
    ['keeps joined emoji', '👩‍💻.png', '👩‍💻.png'],
    ['drops folders', '../../etc/passwd', 'passwd'],
    ['drops folders as Windows writes them', 'C:\\Users\\ann\\a.txt', 'a.txt'],
    ['drops folders before a trailing separator', '/tmp/a.txt/', 'a.txt'],
    ['drops leading dots', '..bashrc', 'bashrc'],
    ['replaces characters that change the direction of a text', 'invoice\u202Efdp.exe', 'invoice_fdp.exe'],
    ['replaces control characters', 'a\r\nb\u0000.txt', 'a__b_.txt'],
    ['replaces half a character', 'a\uD800.txt', 'a_.txt'],
    ['names a file without a name', '...', 'file'],
    ['shortens a long name, but keeps its extension', `${'é'.repeat(300)}.pdf`, `${'é'.repeat(195)}….pdf`],
  ])('%s', (_what, name, plain) => {
    expect(plainFileName(name)).toBe(plain);
  });

  it('returns a plain name for any text, and leaves it alone from then on', () => {
    const sign = fc.oneof(
      fc.constantFrom('/', '\\', '.', ' ', 'a', '\u202E', '\uDC00'),
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    );
    const names = fc.array(sign, { maxLength: 30 }).map((signs) => signs.join(''));
    fc.assert(
      fc.property(names, (name) => {
        const plain = plainFileName(name);
        expect(plain).toMatch(/^[^./\\\p{Cc}\p{Cs}\p{Bidi_Control}][^/\\\p{Cc}\p{Cs}\p{Bidi_Control}]{0,199}$/u);
        expect(plainFileName(plain)).toBe(plain);
      }),
      { numRuns: runs(2000) },
    );
  });
});
