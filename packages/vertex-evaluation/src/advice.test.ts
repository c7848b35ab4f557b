import { expect, test } from 'vitest';
import { adviceFor } from './advice.ts';

// Failures that a local server cannot simulate; the others are in evaluate-instances.test.ts.

const by = (location: string, apiEndpoint?: string) =>
  ({ by: 'project', project: 'p', location, apiEndpoint }) as const;
const advice = (said: string, connection: Parameters<typeof adviceFor>[0]['connection'] = by('us-central1')) =>
  adviceFor({ status: undefined, said, connection });

test.each([
  ['us-central1', 'us-central1-aiplatform.googleapis.com'],
  ['eu', 'aiplatform.eu.rep.googleapis.com'],
  ['us', 'aiplatform.us.rep.googleapis.com'],
  ['global', 'aiplatform.googleapis.com'],
])('adviceFor() names the host of an unreachable location %s: %s', (location, host) => {
  expect(advice('fetch failed getaddrinfo ENOTFOUND', by(location))).toContain(`Can this machine reach ${host}?`);
});

test.each([
  'fetch failed self-signed certificate in certificate chain SELF_SIGNED_CERT_IN_CHAIN',
  'fetch failed unable to get local issuer certificate UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'fetch failed unable to verify the first certificate UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'fetch failed error:0A00010B:SSL routines:tls_validate_record_header:wrong version number ERR_SSL_WRONG_VERSION_NUMBER',
])('adviceFor() explains an untrusted certificate: %s', (said) => {
  expect(advice(said)).toContain('NODE_EXTRA_CA_CERTS');
  expect(advice(said, by('us', 'https://vertex.example'))).toContain('Is https://vertex.example');
});

test.each([
  'the answer is null',
  'the answer is nested more deeply',
  'the answer is larger than',
  'fetch failed bad port',
])('adviceFor() does not call a permanent failure temporary: %s', (said) => {
  expect(advice(said)).toBe('');
  expect(advice(said, by('us', 'https://vertex.example'))).toContain('Is https://vertex.example');
});

test('adviceFor() calls a lost connection temporary', () => {
  expect(advice('fetch failed other side closed UND_ERR_SOCKET')).toContain('agent-criteria resume');
});
