/** Words used in documentation placeholders. Shorter words occur in real keys by chance. */
const WORDS = new Set(
  [
    'access account actual added admin any api app auth bar baz bearer bot change changeme client code connection',
    'credential credentials default demo domain dummy empty enter example fake false fixme foo from generated get goes',
    'guest hash hashed here hidden host insert key login mask masked my mysql name new nil none not null number old omitted',
    'optional pass passcode passphrase passwd password paste personal placeholder please port postgres private project',
    'public put pw pwd redacted removed replace required root sample secret service session set some sometoken string super',
    'tbd test text the this todo token true undefined user userid username value variable with you your',
  ].flatMap((line) => line.split(' ')),
);
/** Templates and references in code, which do not contain the value. */
const REFERENCE =
  /^(?:\$\{.*|\$[A-Z_]+|%[sd]|%[A-Z_]+%|\{.*|<.*>|\[.*\]|(?:process\.env|import\.meta|os\.(?:environ|getenv)|env|config|settings|self|this)\.[\w.]*)$/;
const SEQUENCE = '01234567890';

/** Whether a string is a placeholder for a secret, such as `your-api-key-123`, `<password>` or `********`. */
export function isPlaceholder(text: string): boolean {
  if (REFERENCE.test(text)) return true;
  const words = text
    .slice(0, LONGEST)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+|\d+/g);
  if (text.length > LONGEST) return false;
  // Only punctuation, such as `****`.
  if (words === null) return /^(.)\1*$/.test(text);
  return words.every((word) => WORDS.has(word) || SEQUENCE.includes(word) || /^(?:x{3,}|0+)$/.test(word));
}

const LONGEST = 80;
