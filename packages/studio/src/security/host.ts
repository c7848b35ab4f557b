/** The names under which a browser on this machine reaches a server that listens on 127.0.0.1. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a `Host` header names this server. A page of a foreign name that resolves to 127.0.0.1 (DNS rebinding) sends its own
 * name here, however it got a connection.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false;
  return NAMES.some((name) => host.toLowerCase() === `${name}:${port}` || (port === 80 && host.toLowerCase() === name));
}
