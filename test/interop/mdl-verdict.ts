import { spawnSync } from 'node:child_process';
import { cborEncode, DataItem } from '@owf/mdoc';
import { testKeys } from '../support/certificates.ts';
import { MDL } from '../support/mdoc-issuer.ts';
import { testScript } from '../support/script.ts';
import type { JudgeQuestion, Presented, Verdict } from './mdl-judge.ts';

/** A DeviceResponse with the mdoc as its only document. */
function deviceResponse(text: string): Uint8Array {
  const raw = Buffer.from(text, 'base64url');
  const head = cborEncode(
    new Map<string, unknown>([
      ['docType', MDL.docType],
      ['issuerSigned', null],
    ]),
  );
  const document = Buffer.concat([head.subarray(0, -1), raw]);
  const tail = cborEncode(
    new Map<string, unknown>([
      ['version', '1.0'],
      ['status', 0],
      ['documents', [null]],
    ]),
  );
  return Buffer.concat([tail.subarray(0, -1), document]);
}

/** An mdoc of a driving licence, the PEM of an authority and the elements to present by namespace. */
export interface MdlCase {
  text: string;
  authority: string;
  elements: Record<string, string[]>;
  /** The private JWK of the holder; that of the mdocs of tests when absent. */
  deviceKey?: object;
}

const TEST_KEY = testKeys('P-256', 41).privateKey.export({ format: 'jwk' });

/** What @auth0/mdl says of an mdoc below an authority, after presenting it with the key of the holder. */
export const mdlVerdict = (asked: MdlCase): Verdict => ask(questionOf(asked, [null, null, 'a session']));

/** The response with an mdoc that @auth0/mdl makes, in base64url, with the transcript of an exchange. */
export const mdlPresentation = (asked: MdlCase, transcript: unknown[]): string =>
  ask<Presented>({ ...questionOf(asked, transcript), isPresentation: true }).presented;

const questionOf = (
  { text, authority, elements, deviceKey = TEST_KEY }: MdlCase,
  transcript: unknown[],
): JudgeQuestion => ({
  response: Buffer.from(deviceResponse(text)).toString('base64url'),
  elements,
  docType: MDL.docType,
  deviceKey: { ...deviceKey, alg: 'ES256', kid: 'device' },
  transcript: encoded(transcript),
  authority,
});

const encoded = (transcript: unknown[]): string =>
  Buffer.from(cborEncode(DataItem.fromData(transcript))).toString('base64url');

/** A presentation of an mdoc: the response in base64url, and the transcript of its exchange. */
export interface MdlPresentation extends Pick<MdlCase, 'authority' | 'elements'> {
  response: string;
  transcript: unknown[];
}

/** What @auth0/mdl says of a response. */
export const mdlPresentationVerdict = ({ transcript, ...asked }: MdlPresentation): Verdict =>
  ask({ ...asked, isSigned: true, docType: MDL.docType, deviceKey: {}, transcript: encoded(transcript) });

function ask<T = Verdict>(question: JudgeQuestion): T {
  const { file, execArgv } = testScript('test/interop/mdl-judge.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [...execArgv, file], {
    input: JSON.stringify(question),
  });
  if (stdout.length === 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}
