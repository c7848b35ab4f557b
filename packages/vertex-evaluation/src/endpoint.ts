/** Tells why credentials must not be sent to this URL; `null`: they may. */
export function endpointProblem(url: string): string | null {
  if (!URL.canParse(url)) return 'must be a URL, such as https://host';
  const { protocol, hostname, username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    return 'must be a URL with only a host and a path, such as https://host/path';
  }
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isHere)) return null;
  return 'must begin with https://, because credentials are sent there (http:// is for this machine only)';
}
