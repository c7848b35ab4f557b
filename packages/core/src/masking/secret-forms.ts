import { looksMade } from './looks-made.ts';

/** A kind of secret that is known by how it looks. */
export interface SecretForm {
  /** What it is called where it was. */
  readonly label: string;
  /** What every such text contains: most texts contain none of these, and are not looked at any further. */
  readonly trigger: RegExp;
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
    trigger: /-----BEGIN /,
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^"]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|(?=")|$)/g,
  },
  { label: 'Google API key', trigger: /AIza/, pattern: /AIza[\w-]{16,}/g },
  { label: 'Google API key', trigger: /AQ\./, pattern: /(?<![A-Za-z0-9])AQ\.[\w-]{20,}/g, isSecret: looksMade },
  { label: 'Google access token', trigger: /ya29\./, pattern: /ya29\.[\w.-]{8,}/g },
  { label: 'Google client secret', trigger: /GOCSPX-/, pattern: /GOCSPX-[\w-]{16,}/g },
  { label: 'API key', trigger: /[spr]k[-_]/, pattern: /(?<![A-Za-z0-9])[spr]k[-_][\w-]{16,}/g, isSecret: looksMade },
  {
    label: 'API key',
    trigger: /gsk_|hf_|r8_|xai-|nvapi-|pplx-|tvly-|npm_/,
    pattern: /(?<![A-Za-z0-9])(?:gsk_|hf_|r8_|xai-|nvapi-|pplx-|tvly-|npm_)[\w-]{16,}/g,
    isSecret: looksMade,
  },
  { label: 'GitHub token', trigger: /gh[pousr]_/, pattern: /(?<![A-Za-z0-9])gh[pousr]_\w{16,}/g },
  { label: 'GitHub token', trigger: /github_pat_/, pattern: /github_pat_\w{16,}/g },
  { label: 'GitLab token', trigger: /glpat-/, pattern: /glpat-[\w-]{16,}/g },
  { label: 'Slack token', trigger: /xox/, pattern: /xox[abeoprs]-[\w-]{10,}/g },
  { label: 'AWS access key', trigger: /A[KS]IA/, pattern: /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  {
    label: 'JSON Web Token',
    trigger: /eyJ/,
    pattern: /(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]{4,}){2,4}/g,
  },
  {
    label: 'bearer token',
    trigger: /bearer\s/,
    pattern: /(Bearer\s{1,4})[\w.~+/-]{8,}={0,2}/gi,
    isSecret: isBearerToken,
  },
  {
    label: 'user name and password',
    trigger: /basic\s/,
    pattern: /(Basic\s{1,4})[A-Za-z0-9+/]{12,}={0,2}/gi,
    isSecret: isUserAndPassword,
  },
  {
    label: 'API key',
    trigger: /authorization|api[-_]?key|(?:access|refresh)[-_]token|client[-_]secret/,
    pattern:
      /((?:authorization|x-goog-api-key|x-api-key|api[-_]?key|access[-_]token|refresh[-_]token|client[-_]secret)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"'&,;<>()[\]{}\\]{12,}/gi,
    isSecret: hasLetterAndDigit,
  },
  {
    label: 'API key',
    trigger: /[?&](?:key|token|sig)/,
    pattern: /([?&](?:key|token|sig|signature)=)[^\s"'&#<>()[\]{}\\]{12,}/gi,
    isSecret: hasDigit,
  },
  // Up to the last @ before the host: passwords have that character, too.
  { label: 'password', trigger: /:\/\//, pattern: /(:\/\/[^\s/?#@:"'<>]{0,256}:)[^\s/?#"'<>]+(?=@)/g },
];

/** What every secret of these forms has, by characters alone: it is seven times as fast as looking for what they contain. */
const SHAPE = /[:=]\s{0,4}\S{8}|[?&_.-]\S{8}|:\/\/|eyJ|AIza|A[KS]IA|(?:bearer|basic)\s/i;
// The forms themselves distinguish upper and lower case.
const TRIGGER = new RegExp(secretForms.map(({ trigger }) => trigger.source).join('|'), 'i');

/** Whether a text is worth a closer look. */
export function mayHoldSecret(text: string): boolean {
  return SHAPE.test(text) && TRIGGER.test(text);
}

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
  return (
    value.length >= 12 && key.length <= 30 && NAMED.test(key) && /^\S{12,}$/.test(value) && hasLetterAndDigit(value)
  );
}
