import { looksMade } from './looks-made.ts';

/** A kind of secret that is known by how it looks. */
export interface SecretForm {
  /** What it is called where it was. */
  readonly label: string;
  /** Stands in every such text: most have none of it, and are not looked at any further. */
  readonly hint?: string | undefined;
  /** Its first group introduces the secret, and stays. No part of a pattern may be tried twice on the same characters. */
  readonly pattern: RegExp;
  /** Default: whatever the pattern finds is one. */
  readonly isSecret?: ((secret: string) => boolean) | undefined;
}

const hasDigit = (secret: string): boolean => /\d/.test(secret);
const hasLetterAndDigit = (secret: string): boolean => hasDigit(secret) && /[A-Za-z]/.test(secret);

/** Keys and tokens of providers, and what introduces others. */
export const secretForms: readonly SecretForm[] = [
  {
    label: 'private key',
    hint: '-----BEGIN ',
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^"]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|(?=")|$)/g,
  },
  { label: 'Google API key', hint: 'AIza', pattern: /AIza[\w-]{16,}/g },
  { label: 'Google API key', hint: 'AQ.', pattern: /(?<![A-Za-z0-9])AQ\.[\w-]{20,}/g, isSecret: looksMade },
  { label: 'Google access token', hint: 'ya29.', pattern: /ya29\.[\w.-]{8,}/g },
  { label: 'Google client secret', hint: 'GOCSPX-', pattern: /GOCSPX-[\w-]{16,}/g },
  { label: 'API key', pattern: /(?<![A-Za-z0-9])[spr]k[-_][\w-]{16,}/g, isSecret: looksMade },
  {
    label: 'API key',
    pattern: /(?<![A-Za-z0-9])(?:gsk_|hf_|r8_|xai-|nvapi-|pplx-|tvly-|npm_)[\w-]{16,}/g,
    isSecret: looksMade,
  },
  { label: 'GitHub token', hint: 'gh', pattern: /(?<![A-Za-z0-9])gh[pousr]_\w{16,}/g },
  { label: 'GitHub token', hint: 'github_pat_', pattern: /github_pat_\w{16,}/g },
  { label: 'GitLab token', hint: 'glpat-', pattern: /glpat-[\w-]{16,}/g },
  { label: 'Slack token', hint: 'xox', pattern: /xox[abeoprs]-[\w-]{10,}/g },
  { label: 'AWS access key', hint: 'IA', pattern: /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  {
    label: 'JSON Web Token',
    hint: 'eyJ',
    pattern: /(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]{4,}){2,4}/g,
  },
  { label: 'bearer token', pattern: /(Bearer\s{1,4})[\w.~+/-]{8,}={0,2}/gi, isSecret: isBearerToken },
  { label: 'user name and password', pattern: /(Basic\s{1,4})[A-Za-z0-9+/]{12,}={0,2}/gi, isSecret: isUserAndPassword },
  {
    label: 'API key',
    pattern:
      /((?:authorization|x-goog-api-key|x-api-key|api[-_]?key|access[-_]token|refresh[-_]token|client[-_]secret)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"'&,;<>()[\]{}\\]{12,}/gi,
    isSecret: hasLetterAndDigit,
  },
  {
    label: 'API key',
    hint: '=',
    pattern: /([?&](?:key|token|sig|signature)=)[^\s"'&#<>()[\]{}\\]{12,}/gi,
    isSecret: hasDigit,
  },
  // Up to the last @ before the host: passwords have that character, too.
  { label: 'password', hint: '://', pattern: /(:\/\/[^\s/?#@:"'<>]{0,256}:)[^\s/?#"'<>]+(?=@)/g },
];

function isBearerToken(secret: string): boolean {
  return hasDigit(secret) || looksMade(secret);
}

/** `Basic understanding` is none. */
function isUserAndPassword(secret: string): boolean {
  return /^[\x20-\x39\x3b-\x7e]*:/.test(decodedBase64(secret.slice(0, 1000)));
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Core has no Buffer. */
function decodedBase64(text: string): string {
  let bits = 0;
  let held = 0;
  let plain = '';
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value === -1) break;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    plain += String.fromCharCode((held >> bits) & 0xff);
  }
  return plain;
}

const NAMED =
  /^(?:proxy-)?(?:authorization|x-goog-api-key|x-api-key|api[-_]?key|access[-_]?token|refresh[-_]?token|client[-_]?secret)$/i;

/** Whether a key says of its value that it is a secret, and it looks like one. */
export function isNamedSecret(key: string, value: string): boolean {
  return key.length <= 30 && NAMED.test(key) && /^\S{12,}$/.test(value) && hasLetterAndDigit(value);
}
