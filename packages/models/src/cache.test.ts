import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelAnswer } from '@agent-criteria/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codePoint } from '../../../test/binary-text.ts';
import { runs } from '../../../test/runs.ts';
import { answer, ask, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { withCache } from './__fixtures__/wrappers.ts';
import { openCache } from './cache.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cache-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const inside = () => join(folder, 'made', 'cache');

function files(of: string): string[] {
  return readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const shelves = (of: string) => files(of).filter((file) => /[\\/][0-9a-f]\.jsonl$/.test(file));
const stored = (of: string) =>
  shelves(of).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );

/** Creates a model that numbers its answers. */
function counted(more: Partial<ModelAnswer> = {}) {
  let count = 0;
  return modelOf(async () => {
    count += 1;
    return answer(`answer ${count}`, more);
  });
}

describe('cached answers', () => {
  it('are requested once, even for several processes', async () => {
    const model = counted();
    const first = await withCache(model, openCache(inside())).generate(ask('hi'), signal());
    const again = await withCache(model, openCache(inside())).generate(ask('hi'), signal());
    expect(first).toEqual({
      text: 'answer 1',
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 5 },
      from: 'live',
    });
    expect(again).toEqual({ ...first, from: 'cache' });
  });

  it('are separate for each sample, repeat, model and request', async () => {
    const cache = openCache(inside());
    const requests = [
      ask('hi'),
      ask('ho'),
      ask('hi', 1),
      { ...ask('hi'), temperature: 0 },
      { ...ask('hi'), settings: { topK: 1 } },
      { ...ask('hi'), system: 'be brief' },
      { ...ask('hi'), schema: { type: 'object' } },
    ];
    const model = counted();
    for (const request of requests) {
      for (const repeat of [0, 1]) {
        expect((await withCache(model, cache, { repeat }).generate(request, signal())).from).toBe('live');
        const other = withCache(modelOf(model.generate, 'other-model'), cache, { repeat });
        expect((await other.generate(request, signal())).from).toBe('live');
      }
    }
    expect(stored(inside())).toHaveLength(requests.length * 4);
  });

  it('do not depend on the order of keys in a request', async () => {
    const cached = withCache(counted(), openCache(inside()));
    await cached.generate({ ...ask('hi'), settings: { a: 1, b: { c: [2], d: 3 } } }, signal());
    const again = await cached.generate({ settings: { b: { d: 3, c: [2] }, a: 1 }, ...ask('hi') }, signal());
    expect(again.from).toBe('cache');
  });

  it.each(['length', 'blocked', 'other'] as const)(
    'do not include answers with the finish reason "%s"',
    async (finish) => {
      const cached = withCache(counted({ finish }), openCache(inside()));
      expect((await cached.generate(ask('hi'), signal())).text).toBe('answer 1');
      expect(await cached.generate(ask('hi'), signal())).toMatchObject({ text: 'answer 2', from: 'live' });
      expect(existsSync(inside())).toBe(false);
    },
  );

  it('do not include failures', async () => {
    const generate = vi.fn().mockRejectedValueOnce(httpError(503)).mockResolvedValueOnce(answer());
    const cached = withCache(modelOf(generate), openCache(inside()));
    await expect(cached.generate(ask('hi'), signal())).rejects.toMatchObject({ status: 503 });
    expect((await cached.generate(ask('hi'), signal())).from).toBe('live');
  });

  it('are requested once for identical concurrent calls', async () => {
    const cached = withCache(counted(), openCache(inside()));
    const answers = await Promise.all(Array.from({ length: 20 }, () => cached.generate(ask('hi'), signal())));
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['answer 1']));
    expect(answers.filter(({ from }) => from === 'live')).toHaveLength(1);
  });

  it('are still requested when one caller aborts, but not when all do', async () => {
    let own: AbortSignal | undefined;
    let finish = (_answer: ModelAnswer): void => undefined;
    const model = modelOf((_request, given) => {
      own = given;
      return new Promise((resolve, reject) => {
        finish = resolve;
        given.addEventListener('abort', () => reject(given.reason));
      });
    });
    const cached = withCache(model, openCache(inside()));
    const controllers = [0, 1, 2].map(() => new AbortController());
    const calls = controllers.slice(0, 2).map((one) => cached.generate(ask('hi'), one.signal));
    await expect.poll(() => own).toBeDefined();
    controllers[0]?.abort('enough');
    await expect(calls[0]).rejects.toBe('enough');
    expect(own?.aborted).toBe(false);
    finish(answer('for the other'));
    expect(await calls[1]).toMatchObject({ text: 'for the other' });

    own = undefined;
    const last = cached.generate(ask('ho'), controllers[2]?.signal as AbortSignal);
    await expect.poll(() => own).toBeDefined();
    controllers[2]?.abort('all of them');
    await expect(last).rejects.toBe('all of them');
    expect((own as AbortSignal | undefined)?.aborted).toBe(true);
  });

  it('are returned exactly as they were stored', async () => {
    const texts = fc.string({ unit: 'grapheme' });
    const answers = fc.record({
      text: texts,
      usage: fc.dictionary(texts, fc.jsonValue({ stringUnit: codePoint }) as fc.Arbitrary<null>),
    });
    await fc.assert(
      fc.asyncProperty(answers, texts, async (given, question) => {
        const own = mkdtempSync(join(folder, 'one-'));
        const model = modelOf(async () => answer('', given));
        await withCache(model, openCache(own)).generate(ask(question), signal());
        const again = await withCache(counted(), openCache(own)).generate(ask(question), signal());
        expect(JSON.stringify(again)).toBe(JSON.stringify(answer('', { ...given, from: 'cache' })));
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('openCache()', () => {
  it('creates a private folder that git ignores', async () => {
    await withCache(counted(), openCache(inside())).generate(ask('hi'), signal());
    expect(readFileSync(join(inside(), '.gitignore'), 'utf8')).toBe('*\n');
    if (process.platform === 'win32') return;
    expect(statSync(inside()).mode & 0o777).toBe(0o700);
    for (const file of files(inside())) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('does not change the mode or the files of an existing folder', async () => {
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    await withCache(counted(), openCache(folder)).generate(ask('hi'), signal());
    expect(existsSync(join(folder, '.gitignore'))).toBe(false);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it.each([
    ['empty', ''],
    ['torn', '{"format":1,"key":"'],
    ['no object', 'null'],
    ['of another version', '{"format":99,"answer":{"text":"old","finish":"stop","usage":{}}}'],
    ['no longer an answer of a model', '{"format":1,"answer":{"text":1}}'],
  ])('ignores and replaces an entry that is %s', async (_name, damaged) => {
    const cached = withCache(counted(), openCache(inside()));
    await cached.generate(ask('hi'), signal());
    const [file = ''] = shelves(inside());
    const { key } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, damaged.replace('"format"', `"key":"${key}","format"`));
    expect(await cached.generate(ask('hi'), signal())).toMatchObject({ text: 'answer 2', from: 'live' });
    expect(await cached.generate(ask('hi'), signal())).toMatchObject({ text: 'answer 2', from: 'cache' });
  });

  it('finds answers that another process stores', async () => {
    const [mine, yours] = [withCache(counted(), openCache(inside())), withCache(counted(), openCache(inside()))];
    for (const text of ['a', 'b', 'c', 'd']) {
      expect((await mine.generate(ask(text), signal())).from).toBe('live');
      expect((await yours.generate(ask(text), signal())).from).toBe('cache');
    }
  });

  it('finds later answers after an incomplete line', async () => {
    const cached = withCache(counted(), openCache(inside()));
    await cached.generate(ask('hi'), signal());
    for (const file of shelves(inside())) appendFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    const again = withCache(counted(), openCache(inside()));
    for (let index = 0; index < 50; index += 1) await again.generate(ask(`question ${index}`), signal());
    const last = withCache(counted(), openCache(inside()));
    for (const text of ['hi', ...Array.from({ length: 50 }, (_, index) => `question ${index}`)]) {
      expect((await last.generate(ask(text), signal())).from).toBe('cache');
    }
  });

  it('answers and warns once if the cache cannot be written', async () => {
    writeFileSync(join(folder, 'file'), 'a file where a folder must be');
    const cache = openCache(join(folder, 'file', 'cache'));
    const cached = withCache(counted(), cache);
    await Promise.all(['a', 'b', 'c'].map((text) => cached.generate(ask(text), signal())));
    expect(await cached.generate(ask('a'), signal())).toMatchObject({ text: 'answer 4', from: 'live' });
    expect(cache.warnings()).toEqual([
      {
        code: 'WRITE_FAILED',
        file: join(folder, 'file', 'cache'),
        message: expect.stringMatching(/^answers are not cached, because the cache/),
      },
    ]);
  });

  it('closes its files, and reopens them when needed', async () => {
    const cache = openCache(inside());
    const cached = withCache(counted(), cache);
    await cached.generate(ask('hi'), signal());
    await cached.generate(ask('hi'), signal());
    const [shelf = ''] = shelves(inside());
    const isOpen = () =>
      readdirSync('/proc/self/fd').some((descriptor) => {
        try {
          return readlinkSync(join('/proc/self/fd', descriptor)) === shelf;
        } catch {
          return false;
        }
      });
    if (process.platform === 'linux') expect(isOpen()).toBe(true);
    cache.close();
    if (process.platform === 'linux') expect(isOpen()).toBe(false);
    expect((await cached.generate(ask('hi'), signal())).from).toBe('cache');
    expect((await cached.generate(ask('ho'), signal())).from).toBe('live');
    cache.close();
    cache.close();
  });

  it('creates at most sixteen files', async () => {
    mkdirSync(inside(), { recursive: true });
    const cached = withCache(counted(), openCache(inside()));
    await Promise.all(Array.from({ length: 100 }, (_, index) => cached.generate(ask(`question ${index}`), signal())));
    expect(files(inside())).toEqual(shelves(inside()));
    expect(shelves(inside()).length).toBeLessThanOrEqual(16);
    expect(stored(inside())).toHaveLength(100);
  });
});
