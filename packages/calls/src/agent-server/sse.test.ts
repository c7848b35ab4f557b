import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sseData } from './sse.ts';

async function read(chunks: readonly Uint8Array[]): Promise<string[]> {
  async function* all() {
    yield* chunks;
  }
  const found: string[] = [];
  for await (const data of sseData(all())) found.push(data);
  return found;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const readText = (text: string) => read([bytes(text)]);

/** Splits bytes into chunks that end at these positions. */
function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [...ends, whole.length].map((end, at) => whole.subarray(at === 0 ? 0 : ends[at - 1], end));
}

/** Arbitrary text without line breaks, which would end a line. Chunks may still split a character. */
const line = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\r\n]/.test(text));
const event = fc.array(line, { minLength: 1, maxLength: 4 });
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

describe('sseData()', () => {
  it('yields the data of events, whatever their format and chunk boundaries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(event, fc.array(fc.constantFrom(': note', 'event: x', 'id: 7', 'retry: 5', 'data-x: 1')))),
        lineEnd,
        fc.boolean(),
        fc.array(fc.nat()),
        async (events, end, space, places) => {
          const text = events
            .map(([data, others]) =>
              [
                ...others,
                ...data.map((one) => `data:${space ? ' ' : one.startsWith(' ') ? ' ' : ''}${one}`),
                '',
                '',
              ].join(end),
            )
            .join('');
          expect(await read(cut(bytes(text), places))).toStrictEqual(events.map(([data]) => data.join('\n')));
        },
      ),
    );
  });

  it('yields the same data for one chunk and for single bytes', async () => {
    const text = fc
      .array(fc.constantFrom('data', 'data:', 'data: ', ':', '\r', '\n', '\r\n', 'x', 'é', '😀', ' '), {
        maxLength: 40,
      })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (whole) => {
        const all = bytes(whole);
        expect(await read([...all].map((byte) => Uint8Array.of(byte)))).toStrictEqual(await read([all]));
      }),
    );
  });

  it.each([
    ['data: one\n\ndata: two\n\n', ['one', 'two']],
    ['data: one\ndata: more\n\n', ['one\nmore']],
    ['data\n\n', ['']],
    ['data:\n\n', ['']],
    ['data:  one\n\n', [' one']],
    ['\n\n: comment\n\n', []],
    ['event: ping\n\n', []],
    ['\uFEFFdata: one\n\n', ['one']],
    ['data: one', ['one']],
    ['data: one\r', ['one']],
    ['', []],
  ])('reads %j', async (text, expected) => {
    expect(await readText(text)).toStrictEqual(expected);
  });

  it('takes linear time', async () => {
    const long = `data: ${'x'.repeat(2_000_000)}\n\n`;
    const pieces = cut(
      bytes(long),
      Array.from({ length: 20_000 }, (_, at) => at * 100),
    );
    const [data] = await read(pieces);
    expect(data).toHaveLength(2_000_000);
  });
});
