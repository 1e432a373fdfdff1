import { type ChildProcess, fork } from 'node:child_process';
import { cborEncode, DataItem } from '@owf/mdoc';
import { MDL } from '../support/credentials/mdoc-issuer.ts';
import { testScript } from '../support/processes/script.ts';
import { testKeys } from '../support/trust/certificates.ts';
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
export const mdlVerdict = (asked: MdlCase): Promise<Verdict> => ask(questionOf(asked, [null, null, 'a session']));

/** The response with an mdoc that @auth0/mdl makes, in base64url, with the transcript of an exchange. */
export const mdlPresentation = async (asked: MdlCase, transcript: unknown[]): Promise<string> =>
  (await ask<Presented>({ ...questionOf(asked, transcript), isPresentation: true })).presented;

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
export const mdlPresentationVerdict = ({ transcript, ...asked }: MdlPresentation): Promise<Verdict> =>
  ask({ ...asked, isSigned: true, docType: MDL.docType, deviceKey: {}, transcript: encoded(transcript) });

type Answer = { id: number; verdict: unknown };

/** The process that judges, from the first question on. */
let judge: ChildProcess | undefined;
let asked = 0;

/** Rejects when the process ends before it answers. */
function ask<T = Verdict>(question: JudgeQuestion): Promise<T> {
  judge ??= startJudge();
  const own = judge;
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    const answer = (message: Answer) => {
      if (message.id !== id) return;
      own.off('message', answer).off('exit', fail);
      resolve(message.verdict as T);
    };
    const fail = () => reject(new Error('the judge ended'));
    own.on('message', answer).on('exit', fail);
    own.send({ id, question });
  });
}

function startJudge(): ChildProcess {
  const { file, execArgv } = testScript('test/interop/mdl-judge.ts');
  const child = fork(file, { execArgv });
  child.unref();
  child.channel?.unref();
  return child;
}
