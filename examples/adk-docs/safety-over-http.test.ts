import { startFakeCredentials, startFakeEvaluationService } from '@agent-criteria/test-servers';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { command, inFolder } from './command.ts';
import { here } from './walk.ts';

// The whole command against a service that behaves like Google's, by each way in.

const config = here('configs/safety_v1.object.json');
const args = ['eval', here('agent.ts'), here('evals/forms.evalset.json'), '--config_file_path', config];

/** The command in an empty folder, with these variables and no others that say who asks Google. */
function evaluated(environment: Readonly<Record<string, string | undefined>>) {
  for (const name of Object.keys(process.env)) if (name.startsWith('GOOGLE_')) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return inFolder((folder) => command(args, folder));
}

afterEach(() => void vi.unstubAllEnvs());

it.each(['api-key', 'project'])('agent-criteria eval, by %s', async (way) => {
  const [service, credentials] = await Promise.all([
    startFakeEvaluationService({ evaluate: ({ response }) => (response.includes('bedroom') ? 0 : 1) }),
    startFakeCredentials(),
  ]);
  onTestFinished(async () => void (await Promise.all([service.close(), credentials.close()])));
  const place = { GOOGLE_CLOUD_PROJECT: 'test-project', GOOGLE_CLOUD_LOCATION: 'us-central1' };
  const signedIn = way === 'api-key' ? { GOOGLE_API_KEY: 'test-key' } : { ...place, ...credentials.environment };
  const environment = { GOOGLE_VERTEX_BASE_URL: service.url, ...signedIn };
  const { code, out, err } = await evaluated(environment);
  expect([code, err]).toEqual([1, '']);
  expect(out).toMatch(/as_expected/);
  expect(service.requests.length).toBeGreaterThan(0);
  expect(service.requests[0]?.path).toContain(way === 'api-key' ? '/v1beta1:' : '/projects/test-project/');
});

it('without a key or a project it says what to set, and runs nothing', async () => {
  const { code, out, err } = await evaluated({});
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/safety_v1.*GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION/);
});
