import { runAgent } from '../index.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { lampAgent } from './lamp-agent.ts';

const on = { name: 'switch', args: { device: 'lamp', on: true } };
const right = 'The lamp is on.';
const wrong = 'Bananas.';

let run: Awaited<ReturnType<typeof runAgent>>;
beforeAll(async () => {
  run = await runAgent(lampAgent, 'Turn on the lamp');
});

describe('green', () => {
  test('returned', () => expect(run).toMatchResponse(right));
  test('kept, and awaited later', async () => {
    const kept = [expect(run).toMatchResponse(right), expect(run).not.toMatchTrajectory([])];
    await new Promise((done) => setTimeout(done, 20));
    await Promise.all(kept);
  });
  test('then', () => expect(run).toMatchResponse(right).then(() => undefined));
  test('catch', () =>
    expect(run)
      .toMatchResponse(wrong)
      .catch(() => undefined));
  test('finally', () =>
    expect(run)
      .toMatchResponse(right)
      .finally(() => undefined));
  test('resolves', async () => {
    await expect(Promise.resolve(run)).resolves.toMatchResponse(right);
    await expect(Promise.resolve(run)).resolves.not.toMatchResponse(wrong);
  });
  test('rejected', async () => {
    await expect(expect(run).toMatchResponse(wrong)).rejects.toThrow('Did not pass (');
  });
  test('soft', async () => {
    await expect.soft(run).toMatchResponse(right);
  });
  test('poll', async () => {
    await expect.poll(() => run).toMatchResponse(right);
  });
  let tries = 0;
  test('awaited when tried again', { retry: 1 }, async () => {
    const matching = expect(run).toMatchResponse(right);
    if (tries++ > 0) await matching;
  });
});

describe.concurrent('concurrent', () => {
  test('green: slow', async ({ expect: own }) => {
    await new Promise((done) => setTimeout(done, 50));
    await own(run).toMatchResponse(right);
  });
  test('red: forgotten', ({ expect: own }) => {
    own(run).toMatchResponse(right);
  });
  test('green: quick', async ({ expect: own }) => {
    await own(run).toMatchResponse(right);
  });
});

describe('red', () => {
  test('wrong', () => {
    expect(run).toMatchResponse(wrong);
  });
  test('right', () => {
    expect(run).toMatchResponse(right);
  });
  test('not', () => {
    expect(run).not.toMatchTrajectory([on]);
  });
  test('soft', () => {
    expect.soft(run).toMatchResponse(wrong);
  });
  test('void, in an asynchronous test', async () => {
    void expect(run).toPassCriterion('response_match_score', 0.8, { expected: wrong });
    await Promise.resolve();
  });
  test('two', async () => {
    expect(run).toMatchResponse(right);
    await expect(run).toMatchResponse(right);
    expect(run).toMatchTrajectory([on]);
  });
  test('not the next one', async () => {
    await expect(run).toMatchResponse(wrong);
  });
});
