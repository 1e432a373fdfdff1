import { expect } from 'chai';
import fc from 'fast-check';
import { isFailure } from '../../adapters/http/edge/failures.ts';
import { toProblem } from '../../adapters/http/messages/problems.ts';
import { DomainError, type ErrorCode, oauthError } from '../../domain/foundation/errors.ts';

/** Every error code, and whether its cause is the caller when its status is one of a bad credential. */
const CODES: Record<ErrorCode, boolean> = {
  BadRequest: true,
  TokenRejected: true,
  LoginRequired: true,
  CodeRequired: false,
  EnrolmentRequired: false,
  Forbidden: true,
  NotFound: true,
  MethodNotAllowed: true,
  RequestTimeout: true,
  Conflict: true,
  Gone: true,
  PayloadTooLarge: true,
  UnsupportedMediaType: true,
  TooManyRequests: true,
  AddressRefused: false,
  Busy: true,
  CallbackFailed: false,
  MalformedValue: true,
  StatusVerification: false,
  StatusRange: false,
  StatusListLength: false,
  StatusRetrieval: true,
  StatusRetrievalTimeout: true,
  UpstreamFailed: true,
  UpstreamTimeout: true,
  StoreUnavailable: true,
  Overloaded: true,
};

const codes = fc.constantFrom(...(Object.keys(CODES) as ErrorCode[]));
const pending = fc.constantFrom('authorization_pending', 'slow_down', 'issuance_pending');
const statusOnTheWire = (error: unknown): number => toProblem({ error, requestId: 'r' }).status;

describe('isFailure', () => {
  it('an error counts exactly when its answer has 400, 401, 403, 404 or 409 and the caller is the cause', () => {
    fc.assert(
      fc.property(
        codes,
        fc.option(fc.constantFrom('invalid_grant', 'invalid_proof'), { nil: undefined }),
        (code, oauth) => {
          const error = new DomainError(code, 'x', oauth === undefined ? {} : { oauthError: oauth });
          const isBad = [400, 401, 403, 404, 409].includes(statusOnTheWire(error));
          expect(isFailure(error), code).to.equal(isBad && CODES[code]);
        },
      ),
    );
  });

  it('an answer counts as an error with its status does', () => {
    fc.assert(
      fc.property(codes, (code) => {
        const error = new DomainError(code, 'x');
        fc.pre(CODES[code]);
        expect(isFailure({ status: statusOnTheWire(error), body: {} }), code).to.equal(isFailure(error));
      }),
    );
    for (const status of [200, 204, 302, 402, 410, 500]) expect(isFailure({ status }), String(status)).to.equal(false);
  });

  it('an answer that asks the caller to retry does not count, with any status', () => {
    fc.assert(
      fc.property(codes, pending, (code, oauth) => {
        expect(isFailure(new DomainError(code, 'x', { oauthError: oauth })), code).to.equal(false);
      }),
    );
    expect(isFailure(oauthError('invalid_grant', 'x'))).to.equal(true);
  });

  it('an unexpected error and an answer without a status do not count', () => {
    for (const outcome of [new Error('x'), undefined, null, 'x', 7, {}, { body: { status: 400 } }])
      expect(isFailure(outcome)).to.equal(false);
  });
});
