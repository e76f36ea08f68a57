#include "collector/policy/policy.h"
