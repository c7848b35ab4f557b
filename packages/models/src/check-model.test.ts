import { describe, expect, it, vi } from 'vitest';
import { answer, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { checkModel } from './check-model.ts';

const access = { service: 'Test', credentials: 'TEST_KEY', problems: [] };

describe('checkModel()', () => {
  it('makes one call and returns its latency', async () => {
    const generate = vi.fn(async () => answer('', { finish: 'length' }));
    const environment = { TEST_KEY: 'secret' };
    const tells = vi.fn(() => access);
    const check = await checkModel({ ...modelOf(generate), access: tells }, environment, signal());
    expect(check).toEqual({ ok: true, latency: expect.any(Number), access });
    expect(generate).toHaveBeenCalledTimes(1);
    expect(tells).toHaveBeenCalledWith(environment);
    expect((await checkModel(modelOf(generate), {}, signal())).access).toBeNull();
  });

  it('returns the failure of the call', async () => {
    const model = modelOf(async () => {
      throw httpError(404, { body: '{"error":{"message":"no such model"}}' });
    });
    expect(await checkModel(model, {}, signal())).toEqual({
      ok: false,
      latency: null,
      access: null,
      failure: expect.objectContaining({ kind: 'not-found', message: expect.stringContaining('--judge-model') }),
    });
  });

  it('makes no call if the model’s access reports a problem', async () => {
    const generate = vi.fn(async () => answer());
    const problems = [{ code: 'MISSING_ENVIRONMENT', message: 'set TEST_KEY' }] as const;
    const missing = { ...access, credentials: null, problems };
    expect(await checkModel({ ...modelOf(generate), access: () => missing }, {}, signal())).toEqual({
      ok: false,
      latency: null,
      access: missing,
    });
    expect(generate).not.toHaveBeenCalled();
  });

  it('rejects when the signal aborts', async () => {
    const controller = new AbortController();
    const check = checkModel(
      modelOf(() => new Promise(() => undefined)),
      {},
      controller.signal,
    );
    controller.abort('enough');
    await expect(check).rejects.toBe('enough');
  });
});
