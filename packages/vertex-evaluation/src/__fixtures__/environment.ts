import { onTestFinished, vi } from 'vitest';

const VARIABLES = [
  ...['GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_VERTEX_BASE_URL'],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'GCE_METADATA_HOST', 'METADATA_SERVER_DETECTION', 'HOME'],
];

/** Sets these of Google's environment variables, and no others, until the test has ended. */
export function environment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of VARIABLES) vi.stubEnv(name, variables[name] ?? (name === 'HOME' ? '/nonexistent' : undefined));
  onTestFinished(() => void vi.unstubAllEnvs());
}
