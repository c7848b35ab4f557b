import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { pageOf } from './page.ts';

describe('pageOf()', () => {
  it('yields parts of limited length that together are the text, none of which splits a character', async () => {
    const piece = fc.array(fc.constantFrom('a', '\n', 'word ', '🙂')).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.integer({ min: 2, max: 20 }), async (pieces, most) => {
        let text = '';
        for (let from: number | null = 0; from !== null; ) {
          const page = await pageOf(pieces, from, most);
          expect(page.text.length).toBeLessThanOrEqual(most);
          expect(page.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
          if (page.next !== null) expect(page.next).toBeGreaterThan(from);
          text += page.text;
          from = page.next;
        }
        expect(text).toBe(pieces.join(''));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('reads no more pieces than the part takes', async () => {
    let read = 0;
    const endless = function* (): Generator<string> {
      for (;;) {
        read += 1;
        yield 'ten chars\n';
      }
    };
    expect(await pageOf(endless(), 20, 30)).toEqual({ text: 'ten chars\n'.repeat(3), next: 50 });
    expect(read).toBe(6);
  });

  it('ends a part after a line if that leaves more than half of it', async () => {
    expect(await pageOf(['123456\n89'], 0, 8)).toEqual({ text: '123456\n', next: 7 });
    expect(await pageOf(['1\n34567890'], 0, 8)).toEqual({ text: '1\n345678', next: 8 });
  });
});
