// SPDX-License-Identifier: Apache-2.0

#include "collector/policy/policy.h"
