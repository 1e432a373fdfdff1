import * as draft20Requests from '../openid4vp/draft20-requests.ts';
import * as draft20Responses from '../openid4vp/draft20-responses.ts';
import * as exchange from '../openid4vp/exchange.ts';
import * as isoDcApi from '../openid4vp/iso-dc-api.ts';
import * as v1Requests from '../openid4vp/v1-requests.ts';
import * as v1Responses from '../openid4vp/v1-responses.ts';
import { readWalletMetadata } from '../openid4vp/wallet-metadata.ts';
import type { Protocol } from '../protocol.ts';
import * as draft20Results from './draft20-results.ts';
import * as exchangeResults from './exchange-results.ts';
import type { ProtocolRules } from './rules.ts';
import { checkAwaiting } from './session.ts';
import * as v1Evaluation from './v1-evaluation.ts';
import * as v1Purge from './v1-purge.ts';
import * as v1Results from './v1-results.ts';

/** What the protocols have in common whose sessions are created by the operations of OpenID4VP 1.0. */
const V1_API = {
  api: 'v1',
  states: {
    waiting: 'unused',
    fetched: 'in-use',
    verifying: 'processing',
    accepted: 'successful',
    refused: 'failed',
  },
  checkFetchable: checkAwaiting,
  readWalletMetadata,
  taskOf: v1Evaluation.taskOf,
  evaluate: v1Evaluation.evaluate,
  refusedBy: v1Results.refusedBy,
  isAccepted: v1Results.isAccepted,
  newCode: v1Results.newCode,
  isWithheld: v1Results.isWithheld,
  replyTo: v1Results.replyTo,
  reports: 'steps',
  receiver: v1Results.receiver,
  stepsOf: v1Results.stepsOf,
  withoutValues: v1Purge.withoutValues,
  withoutPresented: v1Purge.withoutPresented,
} as const;

/** The table of protocols; add a row to add one. */
export const PROTOCOLS: { readonly [P in Protocol]: ProtocolRules<P> } = {
  draft20: {
    api: 'draft20',
    // A link is not fetched, so whether a wallet opened it is unknown.
    states: {
      waiting: 'created',
      fetched: 'created',
      verifying: 'verifying',
      accepted: 'verified',
      refused: 'failed',
    },
    checkFetchable: draft20Results.checkFetchable,
    readWalletMetadata: () => undefined,
    asked: draft20Requests.asked,
    fetchedRequest: draft20Requests.fetchedRequest,
    parseResponse: draft20Responses.parseResponse,
    taskOf: (request) => request,
    evaluate: draft20Results.evaluate,
    refusedBy: draft20Results.refusedBy,
    isAccepted: draft20Results.isAccepted,
    newCode: draft20Results.newCode,
    isWithheld: () => false,
    replyTo: draft20Results.replyTo,
    reports: 'result',
    receiver: draft20Results.receiver,
    stepsOf: () => [],
    withoutValues: draft20Results.withoutValues,
    withoutPresented: draft20Results.withoutPresented,
  },
  v1: {
    ...V1_API,
    asked: v1Requests.requestParameters,
    fetchedRequest: v1Requests.fetchedRequest,
    parseResponse: v1Responses.parseResponse,
  },
  'iso-dc-api': {
    ...V1_API,
    asked: isoDcApi.asked,
    fetchedRequest: isoDcApi.fetchedRequest,
    parseResponse: isoDcApi.parseResponse,
  },
  exchange: {
    ...V1_API,
    asked: exchange.asked,
    fetchedRequest: exchange.fetchedRequest,
    parseResponse: exchange.parseResponse,
    taskOf: exchangeResults.taskOf,
    evaluate: exchangeResults.evaluate,
    withoutValues: exchangeResults.withoutValues,
  },
};

/** The rules of the protocol of a request. */
export const rulesOf = <P extends Protocol>({ protocol }: { protocol: P }): ProtocolRules<P> => PROTOCOLS[protocol];
