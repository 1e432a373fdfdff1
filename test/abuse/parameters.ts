import type { Operation } from '../../adapters/http/messages/document.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** Values that a reader may not expect; each is sent percent-encoded in every parameter. */
export const HOSTILE_VALUES = [
  '\u0000',
  'a\r\nset-cookie: a=b',
  'é',
  '日本',
  'x'.repeat(2000),
  '[]',
  '{"a":1,"a":2}',
  '{"__proto__":{}}',
  '['.repeat(2000),
  '__proto__',
  '1e999',
  'https://wallet.example/日本',
  'https://日本.example/',
  'wallet://日本/callback',
  'https://user:password@wallet.example/',
  'http://[::1',
  'javascript:alert(1)',
  'e30.e30.AA',
  'eyJhbGciOiJub25lIn0.e30.',
  'urn:ietf:params:oauth:request_uri:x',
  '[{"type":"openid_credential","credential_configuration_id":{}}]',
  '[{"type":"openid_credential","format":"jwt_vc_json","credential_definition":5}]',
  '{"authorization_endpoint":5}',
  '{"authorization_endpoint":"openid://日本"}',
];

/** The fields of the form of an operation. */
export function formFields({ resolved }: Operation): string[] {
  const { requestBody } = resolved as {
    requestBody?: { content: Record<string, { schema: { properties?: object } }> };
  };
  return Object.keys(requestBody?.content[FORM]?.schema.properties ?? {});
}

/** The parameters of an operation in the query of its URL. */
export const queryNames = ({ parameters }: Operation): string[] =>
  parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
