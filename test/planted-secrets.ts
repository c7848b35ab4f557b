import { Buffer } from 'node:buffer';

// Secrets are concatenated here, so that no line in this file looks like one to a scanner.

const key = ['correct', 'horse', 'battery', 'staple', '42'].join('-');
const odd = 'p@ss w&rd/with=odd?ö';
const blanks = 'seven zebras jump twice';
const keyLines = ['MIIEpAIBAAKCAQEAsecretline1', 'secretline2abcdefgh'];
const pemOf = (kind: string, lines: readonly string[]) =>
  [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join('\n');
const pem = pemOf('RSA PRIVATE KEY', keyLines);
const digits = '734512908867';

/** Environment variables that make the forms below secrets. */
export const plantedEnvironment: Readonly<Record<string, string>> = {
  SHOP_API_KEY: key,
  ODD_SECRET: odd,
  SHOP_PASSPHRASE: blanks,
  SIGNING_PRIVATE_KEY: pem,
  DB_PASSWORD: digits,
};

/** The secret that is a number. */
export const plantedNumber = Number(digits);
/** The lines of a multi-line secret. */
export const plantedLines: readonly string[] = pem.split('\n');
/** A secret to be split into pieces. */
export const plantedKey = key;

/** A way to write a secret, and the part of it that must not remain after masking. */
export interface PlantedForm {
  readonly name: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const known = (name: string, text: string, ...secrets: readonly string[]): PlantedForm => ({
  name,
  text,
  secrets: secrets.length === 0 ? [text] : secrets,
});
const introduced = (name: string, before: string, secret: string, after = ''): PlantedForm => ({
  name,
  text: before + secret + after,
  secrets: [secret],
});

const wrapped = base64(`user:${key}:${odd}`).match(/.{1,20}/g) ?? [];
const made = 'a1B2c3D4'.repeat(5);

export const plantedForms: readonly PlantedForm[] = [
  known('a value', key),
  known('a value of digits', digits),
  known('a value with signs', odd),
  known('a value in upper case', key.toUpperCase()),
  known('a value in base64', base64(key)),
  known('a value in base64 of URLs', Buffer.from(odd).toString('base64url')),
  known(
    'a value in base64 inside of something longer',
    base64(`x-user:${key}!`),
    base64(`x-user:${key}!`).slice(12, -6),
  ),
  known('a value in base64 with line breaks', wrapped.join('\n'), wrapped[1] ?? ''),
  known('a value in hexadecimal', Buffer.from(key).toString('hex')),
  known('a value encoded for a URL', encodeURIComponent(odd), 'p%40ss', 'with%3Dodd'),
  known('a value encoded for a URL twice', encodeURIComponent(encodeURIComponent(odd)), 'p%2540ss'),
  known('a value encoded in a form', blanks.replaceAll(' ', '+')),
  known('a value in HTML', odd.replace('&', '&amp;'), 'with=odd'),
  known('a value in JSON', JSON.stringify({ pem }), ...keyLines),
  known('a value in JSON in JSON', JSON.stringify({ inner: JSON.stringify({ odd, pem }) }), ...keyLines, 'with=odd'),
  known('a value in escapes', [...odd].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')),
  known('a value with a line break inside', `${key.slice(0, 14)}\n${key.slice(14)}`, key.slice(0, 14), key.slice(14)),
  known('a value broken at a blank', blanks.replace(' jump', '\njump'), 'seven zebras', 'jump twice'),
  known('a value with a character without width', `${key.slice(0, 9)}\u200b${key.slice(9)}`, key.slice(9)),
  known('a private key', pem, ...keyLines),
  known('a line of a private key', `line 2: ${keyLines[1]}`, keyLines[1] ?? ''),
  introduced('password=', 'password=', 'hunter2hunter2B1'),
  introduced('a password in JSON', '{"password": "', 'hunter2hunter2A1', '"}'),
  introduced('secret key of AWS', 'aws_secret_access_key = ', 'wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzKEYq'),
  introduced('session token of AWS', 'AWS_SESSION_TOKEN=', 'FwoGZXIvYXdzEBYaDHqa0AP1'),
  introduced('account key of Azure', 'AccountKey=', 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq=='),
  introduced('token of npm', '//npm.example/:_authToken=', 'npm1234567890abcdTOK'),
  introduced('authorization with a token', 'Authorization: Token ', '0123456789abcdef0123'),
  introduced('bearer token', 'authorization: bearer ', 'zyx987654321abc'),
  introduced('bearer token encoded for a URL', 'bearer%20', 'abcdef1234567890BEARENC'),
  introduced('basic credentials', 'Basic ', base64('someone:hunter2hunter2')),
  introduced('cookie', 'Cookie: session=', 'abcdef0123456789abcdefSESS'),
  introduced('cookie of a server', 'Set-Cookie: sid=', 's%3Aabcdef0123456789', '; Path=/'),
  introduced('code of OAuth', 'code=', '4/0AX4XfWjSECRETCODE1'),
  introduced('key in a query', 'https://h.example/?access_token=', 'abcdef1234567890QRY', '&x=1'),
  introduced('token in a URL', 'https://', 'ghtok1234567890abcd', '@github.com/x'),
  introduced('password in a URL', 'postgres://u:', 'p4ss/w0rd#SECRETURL', '@h/db'),
  introduced('credentials of Docker', '{"auths":{"x":{"auth":"', base64('user:hunter2hunter2'), '"}}}'),
  introduced('webhook of Slack', 'https://hooks.slack.com/services/', 'T00000000/B00000000/Xx1Yy2Zz3Xx1Yy2Zz3SLACKHK'),
  known('secret of a Stripe webhook', `whsec_${made}`),
  known('key of SendGrid', `SG.${made.slice(0, 22)}.${made}`),
  known('token of a Telegram bot', `123456789:AAE${made.slice(0, 32)}`),
  known('token of DigitalOcean', `dop_v1_${'a1b2c3d4'.repeat(8)}`),
  known('private key of PGP', pemOf('PGP PRIVATE KEY BLOCK', ['lQOYBGSECRETPGP']), 'lQOYBGSECRETPGP'),
  known('token of GitHub', `ghp_${made}`),
  known('access key of AWS', `AKIA${'A1B2'.repeat(4)}`),
  known('key of Google', `AIza${'Sy0'.repeat(12)}`),
  known('key of OpenAI', `sk-proj-${made}`),
  known('JSON Web Token', `eyJ${made}.eyJ${made}.${made}`),
];
