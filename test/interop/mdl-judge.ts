import { DeviceResponse, parse, Verifier } from '@auth0/mdl';

// A process of its own, which answers questions until its parent ends: both this library and ours register their types with the one CBOR decoder.

/** What this process is asked: the DeviceResponse, and what to present it with unless it has a device signature. */
export interface JudgeQuestion {
  /** Base64url. */
  response: string;
  isSigned?: boolean;
  /** Whether only the response is wanted, with its device signature. */
  isPresentation?: boolean;
  /** Namespaces and elements to present. */
  elements: Record<string, string[]>;
  docType: string;
  /** The private JWK of the holder. */
  deviceKey: object;
  /** The SessionTranscriptBytes, base64url. */
  transcript: string;
  /** PEM. */
  authority: string;
}

/** The verdict: the values of the elements as JSON, byte strings in hexadecimal, or why the document is refused. */
export type Verdict = { elements: Record<string, Record<string, unknown>> } | { refusal: string };

/** The response with its device signature, in base64url. */
export interface Presented {
  presented: string;
}

process.on('message', async ({ id, question }: { id: number; question: JudgeQuestion }) => {
  const verdict: Verdict | Presented = await judge(question).catch((error) => ({ refusal: String(error) }));
  process.send?.({ id, verdict });
});

// Buffers have a toJSON of their own, which would run before the replacer.
Reflect.deleteProperty(Buffer.prototype, 'toJSON');

/** Presents the document as a wallet, unless it is presented already, and verifies the presentation. */
async function judge(question: JudgeQuestion): Promise<Verdict | Presented> {
  const { response, elements, isSigned, isPresentation, transcript, authority } = question;
  const encodedSessionTranscript = Buffer.from(transcript, 'base64url');
  const presented = isSigned ? Buffer.from(response, 'base64url') : await present(question);
  if (isPresentation) return { presented: presented.toString('base64url') };
  const { documents } = await new Verifier([authority]).verify(presented, { encodedSessionTranscript });
  const shown = Object.keys(elements).map((namespace) => [namespace, documents[0]?.getIssuerNameSpace(namespace)]);
  const json = (_: string, value: unknown) =>
    value instanceof Uint8Array
      ? Buffer.from(value).toString('hex')
      : value instanceof Map
        ? Object.fromEntries(value)
        : value;
  return JSON.parse(JSON.stringify({ elements: Object.fromEntries(shown) }, json));
}

async function present({ response, elements, docType, deviceKey, transcript }: JudgeQuestion): Promise<Buffer> {
  const fields = Object.entries(elements).flatMap(([namespace, names]) =>
    names.map((name) => ({ path: [`$['${namespace}']['${name}']`], intent_to_retain: false })),
  );
  const format = { mso_mdoc: { alg: ['ES256', 'EdDSA'] } };
  const descriptor = { id: docType, format, constraints: { limit_disclosure: 'required', fields } };
  const signed = await DeviceResponse.from(parse(Buffer.from(response, 'base64url')))
    .usingPresentationDefinition({ id: 'licence', input_descriptors: [descriptor] } as never)
    .usingSessionTranscriptBytes(Buffer.from(transcript, 'base64url'))
    .authenticateWithSignature(deviceKey as never, 'ES256')
    .sign();
  return signed.encode();
}
