import type { Json } from '@agent-criteria/core';

/** Names of variables whose values nobody else may see. */
const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH|AUTHORIZATION)$/i;
/** A shorter value would be found in words that have nothing to do with it. */
const SHORTEST_VALUE = 8;

/** Keys and tokens that show by their form: of Google, OpenAI and its like, GitHub, Slack, AWS; JSON Web Tokens. */
const FORMS = [
  /\bAIza[\w-]{30,60}/g,
  /\bAQ\.(?=[\w-]{0,60}\d)[\w-]{20,300}/g,
  /\bya29\.[\w-]{20,2000}/g,
  /\b(?:sk|pk|rk|gsk|xai|r8|hf|nvapi)[-_](?=[\w-]{0,60}\d)[\w-]{16,300}/g,
  /\bgh[pousr]_\w{20,300}/g,
  /\bgithub_pat_\w{20,300}/g,
  /\bxox[abeoprs]-[\w-]{10,300}/g,
  /\bA[KS]IA[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{4,4000}/g,
];
/** What introduces a secret; the first group stays. */
const INTRODUCED = [
  /\b(Bearer\s{1,4}|Basic\s{1,4})(?=[\w.~+/-]{0,80}\d)[\w.~+/-]{12,4000}={0,2}/gi,
  /\b((?:authorization|x-goog-api-key|x-api-key|api-key|apikey|api_key|access_token|refresh_token|client_secret)["']?\s{0,4}[:=]\s{0,4}["']?)(?=[^\s"'&,;}]{0,60}\d)(?!\[redacted)[^\s"'&,;}]{12,4000}/gi,
  /([?&](?:key|token|sig|signature)=)(?!\[redacted)[^\s"'&#]{12,4000}/gi,
];

type Environment = Readonly<Record<string, string | undefined>>;

/** The text without what is known to be secret: values of secret variables, and keys that show by their form. */
export function withoutSecrets(text: string, environment: Environment = process.env): string {
  return cleaner(environment)(text);
}

/** A copy with every text and every key in it without secrets. */
export function jsonWithoutSecrets(value: Json, environment: Environment = process.env): Json {
  const clean = cleaner(environment);
  const copy = (inner: Json): Json => {
    if (typeof inner === 'string') return clean(inner);
    if (typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map(copy);
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [clean(key), copy(item as Json)]));
  };
  return copy(value);
}

function cleaner(environment: Environment): (text: string) => string {
  const values = secretValues(environment);
  return (text) => {
    let clean = text;
    for (const [value, name] of values) clean = clean.replaceAll(value, () => `[redacted ${name}]`);
    for (const form of FORMS) clean = clean.replace(form, '[redacted]');
    for (const form of INTRODUCED) clean = clean.replace(form, '$1[redacted]');
    return clean;
  };
}

/** The longest first: one value may be a part of another. */
function secretValues(environment: Environment): [string, string][] {
  return Object.entries(environment)
    .flatMap(([name, value = '']): [string, string][] =>
      SECRET_NAME.test(name) && value.trim().length >= SHORTEST_VALUE ? [[value.trim(), name]] : [],
    )
    .sort(([a], [b]) => b.length - a.length);
}
