import { secretMask } from '@agent-criteria/masking';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { maskedFiles } from './masked-files.ts';

const SECRET = 'hunter2-hunter2';
const mask = secretMask({ environment: { DB_PASSWORD: SECRET } });
const file = (bytes: string | Uint8Array, mimeType = 'text/plain') => ({
  inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
});

describe('maskedFiles()', () => {
  it.each(['text/plain', 'application/octet-stream', 'image/png'])(
    'masks a secret in the text of a file, also if its type is %s',
    (mimeType) => {
      const text = `${'a line\n'.repeat(300)}password: ${SECRET}\n`;
      const event = { id: 'e', content: { parts: [{ text: 'Look' }, file(text, mimeType)] } };
      const [, masked] = maskedFiles(event, mask).content.parts as [unknown, ReturnType<typeof file>];
      const shown = Buffer.from(masked.inlineData.data, 'base64').toString();
      expect(shown).toBe(text.replace(SECRET, '[masked: DB_PASSWORD]'));
      expect(masked.inlineData.mimeType).toBe(mimeType);
    },
  );

  it('returns the same value if no file has a secret', () => {
    const parts = fc.array(
      fc.oneof(
        fc.uint8Array().map((bytes) => file(bytes)),
        fc.record({ text: fc.string() }),
        fc.constant({ inlineData: null }),
      ),
    );
    fc.assert(
      fc.property(parts, (given) => {
        const value = { events: [{ content: { parts: given } }], other: [1, null, 'a'] };
        expect(maskedFiles(value, mask)).toBe(value);
      }),
      { numRuns: runs(500) },
    );
  });
});
