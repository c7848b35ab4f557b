import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFakeCredentials, startFakeEvaluationService } from '@agent-criteria/test-servers';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const entry = fileURLToPath(new URL('./index.ts', import.meta.url));

/** Counts the loaded modules of Google's packages after importing this package, and after calling the service. */
async function loadedBy(environment: Readonly<Record<string, string | undefined>>): Promise<readonly number[]> {
  const script = `
    import { _cache } from 'node:module';
    import { testTools } from '@agent-criteria/core/testing';
    import { evaluateInstances, turnRequest } from ${JSON.stringify(entry)};
    const loaded = () => Object.keys(_cache).filter((file) => file.includes('@google')).length;
    const before = loaded();
    const request = turnRequest('safety_v1', { prompt: 'a', response: 'b', reference: null });
    await evaluateInstances(testTools(), request, { options: { requestsPerSecond: 10 } });
    console.log(JSON.stringify([before, loaded()]));
  `;
  const node = ['--conditions=@agent-criteria/source', '--no-warnings', '--input-type=module', '--eval', script];
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await run(process.execPath, node, { cwd, env: { PATH: process.env.PATH, ...environment } });
  return JSON.parse(stdout);
}

test('Google’s client is loaded only by a call that needs it', async () => {
  const [service, credentials] = await Promise.all([startFakeEvaluationService(), startFakeCredentials()]);
  onTestFinished(async () => void (await Promise.all([service.close(), credentials.close()])));
  const place = {
    GOOGLE_CLOUD_PROJECT: 'p',
    GOOGLE_CLOUD_LOCATION: 'us-central1',
    GOOGLE_VERTEX_BASE_URL: service.url,
  };
  expect(await loadedBy({ GOOGLE_API_KEY: 'test-key', GOOGLE_VERTEX_BASE_URL: service.url })).toEqual([0, 0]);
  const [before, after] = await loadedBy({ ...place, ...credentials.environment });
  expect(before).toBe(0);
  expect(after).toBeGreaterThan(0);
});
