"""Actions on accounts.

accounts     create, update and authenticate accounts; passwords and tokens
api_tokens   create, list, use and revoke API tokens
audit        record and list failed sign-ins and what admins and owners did
external     sign in people whom a provider or a proxy has authenticated
guests       sign guests in
login_codes  one-time codes that sign an account in
retention    delete idle guests and old audit rows
"""
