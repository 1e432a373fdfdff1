/*
 * A PKCS#11 module in front of SoftHSM that fails as its test wants: FAILING_MODULE names a file with one word. It appends
 * a line to the file beside it, `.logins`, for each login, and writes `.hangs` when it hangs.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CK_PTR *
#define CK_DECLARE_FUNCTION(returnType, name) returnType name
#define CK_DECLARE_FUNCTION_POINTER(returnType, name) returnType(*name)
#define CK_CALLBACK_FUNCTION(returnType, name) returnType(*name)
#define NULL_PTR 0
#include "pkcs11.h"

static CK_FUNCTION_LIST *real;
static CK_FUNCTION_LIST shown;

static int wants(const char *word) {
  char text[16] = "";
  FILE *file = fopen(getenv("FAILING_MODULE"), "r");
  if (file == NULL) return 0;
  if (fgets(text, sizeof text, file) == NULL) text[0] = 0;
  fclose(file);
  return strcmp(text, word) == 0;
}

static void append(const char *ending, const char *line) {
  char path[512];
  snprintf(path, sizeof path, "%s%s", getenv("FAILING_MODULE"), ending);
  FILE *file = fopen(path, "a");
  if (file == NULL) return;
  fputs(line, file);
  fclose(file);
}

static CK_RV fault(void) {
  if (wants("gone")) return CKR_DEVICE_REMOVED;
  if (wants("busy")) return CKR_DEVICE_MEMORY;
  if (wants("crash")) abort();
  if (wants("hang")) append(".hangs", "hangs\n");
  while (wants("hang")) usleep(10000);
  if (!wants("session")) return CKR_OK;
  unlink(getenv("FAILING_MODULE"));
  return CKR_SESSION_HANDLE_INVALID;
}

static CK_RV signInit(CK_SESSION_HANDLE session, CK_MECHANISM_PTR mechanism, CK_OBJECT_HANDLE key) {
  CK_RV result = fault();
  return result == CKR_OK ? real->C_SignInit(session, mechanism, key) : result;
}

static CK_RV openSession(CK_SLOT_ID slot, CK_FLAGS flags, CK_VOID_PTR data, CK_NOTIFY notify, CK_SESSION_HANDLE_PTR to) {
  CK_RV result = fault();
  return result == CKR_OK ? real->C_OpenSession(slot, flags, data, notify, to) : result;
}

static CK_RV generate(CK_SESSION_HANDLE session, CK_MECHANISM_PTR mechanism, CK_ATTRIBUTE_PTR shownPart, CK_ULONG shownCount,
                      CK_ATTRIBUTE_PTR kept, CK_ULONG keptCount, CK_OBJECT_HANDLE_PTR pub, CK_OBJECT_HANDLE_PTR priv) {
  static CK_BBOOL yes = CK_TRUE;
  if (wants("few") && mechanism->mechanism != CKM_EC_KEY_PAIR_GEN) return CKR_MECHANISM_INVALID;
  for (CK_ULONG at = 0; wants("open") && at < keptCount; at++)
    if (kept[at].type == CKA_EXTRACTABLE) kept[at].pValue = &yes;
  return real->C_GenerateKeyPair(session, mechanism, shownPart, shownCount, kept, keptCount, pub, priv);
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR_PTR pin, CK_ULONG length) {
  append(".logins", "login\n");
  return real->C_Login(session, user, pin, length);
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list) {
  void *library = dlopen(getenv("FAILING_MODULE_BEFORE"), RTLD_NOW);
  CK_C_GetFunctionList get = library == NULL ? NULL : (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList");
  if (get == NULL || get(&real) != CKR_OK) return CKR_GENERAL_ERROR;
  shown = *real;
  shown.C_SignInit = signInit;
  shown.C_OpenSession = openSession;
  shown.C_GenerateKeyPair = generate;
  shown.C_Login = login;
  *list = &shown;
  return CKR_OK;
}
