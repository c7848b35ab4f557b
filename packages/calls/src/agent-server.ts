export {
  addHeaders,
  type CredentialSettings,
  type Credentials,
  checkHeaders,
  credentialsFrom,
  hidingCredentials,
  howToSignIn,
} from './agent-server/credentials.ts';
export { type Advice, type Answer, type Connection, exchange, type Request } from './agent-server/exchange.ts';
export { askJson, isRefusal, jsonOf, notJson, type Refusal, refusalOf, shortened } from './agent-server/refusal.ts';
export { sseData, sseEvents } from './agent-server/sse.ts';
