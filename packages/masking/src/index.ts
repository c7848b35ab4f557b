export { noMask, type SecretMask, secretMask } from './secret-mask.ts';
