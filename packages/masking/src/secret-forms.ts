import { looksMade } from './encoded-forms.ts';
import { isPlaceholder } from './placeholder.ts';

/** A kind of secret that is recognised by its form. */
export interface SecretForm {
  /** Its name in the marker. */
  readonly label: string;
  /** Matches every text with such a secret. A fast check, because most texts contain none. */
  readonly trigger: RegExp;
  /** The first group, if any, precedes the secret and is kept. Must not backtrack. */
  readonly pattern: RegExp;
  /** Checks a match. Default: every match is a secret. */
  readonly isSecret?: ((secret: string) => boolean) | undefined;
}

const hasDigit = (secret: string): boolean => /\d/.test(secret);
const hasLetterAndDigit = (secret: string): boolean => hasDigit(secret) && /[A-Za-z]/.test(secret);
const isValue = (secret: string): boolean => hasLetterAndDigit(secret) && !isPlaceholder(secret);

export const PRIVATE_KEY = 'private key';

/** The keys and tokens of providers, and secrets that follow a keyword. */
export const secretForms: readonly SecretForm[] = [
  {
    label: PRIVATE_KEY,
    trigger: /-----BEGIN /,
    pattern:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^"]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|(?=")|$)/g,
  },
  { label: PRIVATE_KEY, trigger: /AGE-SECRET-KEY-1/, pattern: /AGE-SECRET-KEY-1[A-Z0-9]{16,}/g },
  { label: 'Google API key', trigger: /AIza/, pattern: /AIza[\w-]{16,}/g },
  { label: 'Google API key', trigger: /AQ\./, pattern: /(?<![A-Za-z0-9])AQ\.[\w-]{20,}/g, isSecret: looksMade },
  { label: 'Google access token', trigger: /ya29\./, pattern: /ya29\.[\w.-]{8,}/g },
  { label: 'Google client secret', trigger: /GOCSPX-/, pattern: /GOCSPX-[\w-]{16,}/g },
  { label: 'OAuth code', trigger: /4\/0A/, pattern: /(?<![\w/.-])4\/0A[\w-]{8,}/g, isSecret: looksMade },
  { label: 'API key', trigger: /[spr]k[-_]/, pattern: /(?<![A-Za-z0-9])[spr]k[-_][\w-]{16,}/g, isSecret: looksMade },
  {
    label: 'API key',
    trigger: /gsk_|hf_|r8_|xai-|nvapi-|pplx-|tvly-|npm_/,
    pattern: /(?<![A-Za-z0-9])(?:gsk_|hf_|r8_|xai-|nvapi-|pplx-|tvly-|npm_)[\w-]{16,}/g,
    isSecret: looksMade,
  },
  {
    label: 'API key',
    trigger: /whsec_|do[opr]_v1_|shp(?:at|ca|pa|ss)_|dapi|glsa_|lin_api_|pypi-|hvs\./,
    pattern:
      /(?<![A-Za-z0-9])(?:whsec_|do[opr]_v1_|shp(?:at|ca|pa|ss)_|dapi(?=[a-f0-9]{32})|glsa_|lin_api_|pypi-|hvs\.)[\w+/-]{16,}={0,2}/g,
    isSecret: looksMade,
  },
  {
    label: 'API key',
    trigger: /SG\./,
    pattern: /(?<![A-Za-z0-9])SG\.[\w-]{16,64}\.[\w-]{16,}/g,
    isSecret: looksMade,
  },
  { label: 'bot token', trigger: /\d:AA/, pattern: /(?<![\w:])\d{6,12}:AA[\w-]{30,}/g },
  {
    label: 'webhook URL',
    trigger: /hooks\.slack\.com|webhooks\//,
    pattern: /((?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/)[\w/-]{16,}/gi,
    isSecret: looksMade,
  },
  { label: 'GitHub token', trigger: /gh[pousr]_/, pattern: /(?<![A-Za-z0-9])gh[pousr]_\w{16,}/g },
  { label: 'GitHub token', trigger: /github_pat_/, pattern: /github_pat_\w{16,}/g },
  { label: 'GitLab token', trigger: /gl(?:pat|rt|dt)-/, pattern: /gl(?:pat|rt|dt)-[\w-]{16,}/g },
  { label: 'Slack token', trigger: /xox|xapp-/, pattern: /(?:xox[abeoprs]|xapp)-[\w-]{10,}/g },
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
    trigger: /basic\s|auth["']?\s{0,4}[:=]/,
    pattern: /((?:Basic\s{1,4}|(?<![A-Za-z])_?auth["']?\s{0,4}[:=]\s{0,4}["']?))[A-Za-z0-9+/]{12,}={0,2}/gi,
    isSecret: isUserAndPassword,
  },
  {
    label: 'API key',
    trigger:
      /authorization|api[-_]?key|(?:access|account|auth|encryption|id|private|refresh|secret|security|session|shared|signing|subscription)[-_]?(?:access[-_]?)?(?:key|token)|(?:app|client|consumer|oauth|webhook)[-_]?secret/,
    pattern:
      /((?:authorization|api[-_]?key|(?:access|account|auth|encryption|id|private|refresh|secret|security|session|shared|signing|subscription)[-_]?(?:access[-_]?)?(?:key|token)|(?:app|client|consumer|oauth|webhook)[-_]?secret)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"'&,;<>()[\]{}\\]{12,}/gi,
    isSecret: isValue,
  },
  {
    label: 'API key',
    trigger: /authorization/,
    pattern:
      /(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?!basic\s|bearer\s)[A-Za-z][\w-]{0,30}\s{1,4})[^\s"'&,;<>()[\]{}\\]{12,}/gi,
    isSecret: (secret) => isValue(secret) && looksMade(secret),
  },
  {
    label: 'cookie',
    trigger: /cookie["']?\s{0,4}:/,
    pattern: /(cookie["']?\s{0,4}:\s{0,4}["']?)[^\s=;,"'\\]{1,64}=[^\r\n"'\\]{8,4096}/gi,
    isSecret: looksMade,
  },
  {
    label: 'password',
    trigger: /passw(?:or)?d|passphrase|pwd/,
    pattern: /((?:password|passwd|passphrase|pwd)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"'&,;<>()[\]{}\\]{6,}/gi,
    isSecret: isPassword,
  },
  {
    label: 'API key',
    trigger: /[?&](?:key|token|sig|code)/,
    pattern: /([?&](?:key|token|sig|signature|code)=)[^\s"'&#<>()[\]{}\\]{12,}/gi,
    isSecret: (secret) => hasDigit(secret) && !isPlaceholder(secret),
  },
  // Matches up to the last @ before the host, because passwords may contain @.
  {
    label: 'password',
    trigger: /:\/\//,
    pattern: /(:\/\/[^\s/?#@:"'<>[]{0,256}:)[^\s/?#"'<>]+(?=@)/g,
    isSecret: (secret) => !isPlaceholder(secret),
  },
  // Passwords with an unencoded / or #.
  {
    label: 'password',
    trigger: /:\/\//,
    pattern: /(:\/\/[^\s/?#@:"'<>[]{0,256}:)(?:[^\s"'<>:]|:(?!\/\/)){1,256}(?=@)/g,
    isSecret: isUrlPassword,
  },
  {
    label: 'token',
    trigger: /:\/\//,
    pattern: /(:\/\/)[\w.~-]{16,256}(?=@)/g,
    isSecret: (secret) => isValue(secret) && looksMade(secret),
  },
];

/** Matches every text that contains a secret of these forms, seven times as fast as the triggers. */
const SHAPE = /[:=]\s{0,4}\S{8}|[?&_.-]\S{8}|:\/\/|eyJ|AIza|A[KS]IA|(?:bearer|basic)\s|authorization/i;
// Ignores case, unlike most of the forms.
const TRIGGER = new RegExp(secretForms.map(({ trigger }) => trigger.source).join('|'), 'i');

/** Whether a text may contain a secret of these forms. */
export function mayHoldSecret(text: string): boolean {
  return SHAPE.test(text) && TRIGGER.test(text);
}

function isBearerToken(secret: string): boolean {
  return (hasDigit(secret) || looksMade(secret)) && !isPlaceholder(secret);
}

/** Whether a string is a user and password, unlike `Basic understanding`. */
function isUserAndPassword(secret: string): boolean {
  return /^[\x20-\x39\x3b-\x7e]*:/.test(decodedBase64(secret.slice(0, 1000)));
}

/** Whether a string is a password, unlike `password: required` and `scheme://username:password@domain`. */
function isPassword(secret: string): boolean {
  return /[A-Za-z]/.test(secret) && /[\d!#$%^*@]/.test(secret) && !isPlaceholder(secret);
}

/** Whether a string is the password in a URL, unlike a port followed by a path that contains @. */
function isUrlPassword(secret: string): boolean {
  const [first = ''] = secret.split(/[/?#]/, 1);
  return first !== secret && hasLetterAndDigit(first) && !isPlaceholder(secret);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 without `Buffer`, which does not exist in browsers. */
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
  /^(?:proxy-)?(?:authorization|x-goog-api-key|x-api-key|api[-_]?key|(?:access|auth|id|refresh|security|session)[-_]?token|(?:client|app|consumer|webhook)[-_]?secret|(?:aws[-_]?)?secret(?:[-_]?access)?[-_]?key|(?:account|private)[-_]?key|(?:set-)?cookie|(?:aws|x-amz)[-_](?:session|security)[-_]token)$/i;
const NAMED_PASSWORD = /(?:password|passwd|passphrase|(?:^|[-_])pwd)$/i;

/** The reason why a key marks its value as a secret, or `null` if it does not. */
export type KeyKind = 'key' | 'password' | 'auth' | null;

export function kindOfKey(key: string): KeyKind {
  if (key.length > 40) return null;
  if (NAMED.test(key)) return 'key';
  if (NAMED_PASSWORD.test(key)) return 'password';
  return /^_?auth$/i.test(key) ? 'auth' : null;
}

/** Whether the value under a key of this kind looks like a secret. */
export function isNamedSecret(kind: KeyKind, value: string): boolean {
  if (kind === 'key') return /^\S{12,}$/.test(value) && isValue(value);
  if (kind === 'password') return /^\S{6,}$/.test(value) && isPassword(value);
  return kind === 'auth' && /^[A-Za-z0-9+/]{12,}={0,2}$/.test(value) && isUserAndPassword(value);
}
