export { noMask, type SecretMask, type SecretMaskOptions, secretMask } from './secret-mask.ts';
